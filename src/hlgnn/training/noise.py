"""Random states that processes do not share."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from hlgnn.models import LinkModel
    from hlgnn.processes import Processes


class Noise:
    """The generators that modules of a model hold, mostly for dropout.

    One process draws from them on and on. Of several, each scores other pairs and draws other numbers: every epoch then
    begins with states of its own, which depend on the seed, the epoch and the process, so that a run that was
    interrupted goes on as it would have, and no state of another process has to be stored.

    Args:
        model: Whose modules draw.
        processes: Who takes part.
    """

    def __init__(self, model: LinkModel[Any, Any], processes: Processes) -> None:
        self.processes, self.generators = processes, held_generators(model)
        self.seeds = {name: generator.initial_seed() for name, generator in self.generators.items()}

    def begin(self, epoch: int) -> None:
        """Set the states for an epoch; those of one process stay as they are."""
        if self.processes.size == 1:
            return
        for name, generator in self.generators.items():
            text = f"{self.seeds[name]}/{epoch}/{self.processes.pairs.rank}"
            digest = hashlib.blake2b(text.encode(), digest_size=8).digest()
            generator.manual_seed(int.from_bytes(digest, "little") >> 1)


def held_generators(model: LinkModel[Any, Any]) -> dict[str, torch.Generator]:
    """The generators that modules of the model hold, by the names of their places."""
    found: dict[str, torch.Generator] = {}
    for name, module in model.named_modules():
        held = {key: value for key, value in vars(module).items() if isinstance(value, torch.Generator)}
        found |= {f"{name}.{key}": generator for key, generator in held.items()}
    return found
