"""Links that are ranked among other targets of their own sources, as citations are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.data.split import LinkSet
from hlgnn.errors import SplitError

if TYPE_CHECKING:
    from torch import Tensor


class OwnTargets(LinkSet):
    """Positives (i, j), each ranked among pairs (i, k), of which only the targets k are kept.

    The pairs of ogbl-citation2 are 86 596 × 1 000 for each part: as targets of 32 bits they take a quarter of the
    memory of pairs of 64. Who asks for ``negative`` gets all pairs at once; ``own_blocks`` makes them block by block.

    Args:
        positive: Links that exist.  (P, 2)
        target: The other targets of the source of each.  (P, K)

    Example:
        >>> links = OwnTargets(torch.tensor([[3, 0], [2, 0]]), torch.tensor([[1, 4], [5, 1]], dtype=torch.int32))
        >>> links.negative.tolist()
        [[[3, 1], [3, 4]], [[2, 5], [2, 1]]]
    """

    target: Tensor

    def __init__(self, positive: Tensor, target: Tensor) -> None:
        object.__setattr__(self, "positive", positive)
        object.__setattr__(self, "target", target)
        if target.ndim != 2:
            raise SplitError(f"Targets of negatives have the shape (P, K), not {tuple(target.shape)}.")
        self._check()

    @property
    def negative(self) -> Tensor:
        """All negatives, made anew.  (P, K, 2)"""
        return self.own_rows(0, len(self.target))

    @property
    def negative_shape(self) -> torch.Size:
        """(P, K)."""
        return self.target.shape

    def own_rows(self, start: int, stop: int) -> Tensor:
        """The negatives of some positives, in the type of their targets.  -> (B, K, 2)"""
        target = self.target[start:stop]
        source = self.positive[start:stop, :1].to(target.dtype)  # (B, 1)
        return torch.stack([source.expand_as(target), target], dim=2)
