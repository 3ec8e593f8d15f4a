"""Which of several processes this one is: torchrun, or ``hlgnn … --processes``, says so in its environment."""

from __future__ import annotations

import os
from dataclasses import dataclass

NEEDED = ("RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT")
LAUNCHED = "HLGNN_LAUNCHED"
"""The number of the attempt, where ``--processes`` watches over the processes and says what goes wrong."""


@dataclass(frozen=True)
class Place:
    """What a process knows before it has met the others; it costs no import of torch.

    Attributes:
        rank: Its number.
        size: How many there are.
        attempt: How often the processes were started again.
        watched: Whether ``--processes`` started them.
        elastic: Whether torchrun did, which starts them again without saying so when hosts come and go.
    """

    rank: int = 0
    size: int = 1
    attempt: int = 0
    watched: bool = False
    elastic: bool = False

    @property
    def goes_on(self) -> bool:
        """Whether a folder that is begun may be of these processes themselves, before they were started again."""
        return self.attempt > 0 or self.elastic

    @property
    def first(self) -> bool:
        """Whether this is the process that writes files and speaks."""
        return self.rank == 0


def find_place() -> Place:
    """The place of this process by its environment; without one it is alone."""
    if any(name not in os.environ for name in NEEDED):
        return Place()
    launched = os.environ.get(LAUNCHED)
    attempt = int(launched) if launched is not None else int(os.environ.get("TORCHELASTIC_RESTART_COUNT", "0"))
    elastic = "TORCHELASTIC_RUN_ID" in os.environ
    return Place(int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"]), attempt, launched is not None, elastic)
