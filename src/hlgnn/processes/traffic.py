"""How much processes tell each other."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from torch import Tensor


@dataclass(frozen=True, eq=False)
class Traffic:
    """What this process handed to the others, by kind.

    A sum counts the tensor that is summed, a gathering the part that this process brings; how often the network carries
    it depends on the algorithm: a ring sends 2 (P − 1) / P times the bytes of a sum.

    Attributes:
        bytes: How many bytes.
        calls: How many collective operations.
    """

    bytes: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)

    def note(self, kind: str, tensor: Tensor) -> None:
        """Count one operation."""
        self.bytes[kind] += tensor.numel() * tensor.element_size()
        self.calls[kind] += 1

    def forget(self) -> None:
        """Count from nought again."""
        self.bytes.clear()
        self.calls.clear()
