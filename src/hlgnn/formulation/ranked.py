"""The best pairs, best first, in an order that leaves nothing to chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.processes import Group

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class RankedLinks:
    """Pairs of nodes with their scores, best first; equal scores are ordered by node.

    Attributes:
        pairs: The smaller node first.  (k, 2), int64
        scores: Descending; equal ones by the smaller first node, then by the smaller second one.  (k,), float64
    """

    pairs: Tensor
    scores: Tensor

    def __len__(self) -> int:
        return len(self.scores)

    def __repr__(self) -> str:
        return f"RankedLinks({len(self)} pairs)"

    @classmethod
    def best(cls, pairs: Tensor, scores: Tensor, k: int) -> RankedLinks:
        """The ``k`` best of these pairs, or all of them if there are fewer.  (P, 2), (P,)

        Example:
            >>> ranked = RankedLinks.best(torch.tensor([[3, 1], [0, 2], [2, 3]]), torch.tensor([0.5, 0.5, 2.0]), k=2)
            >>> ranked.pairs.tolist(), ranked.scores.tolist()
            ([[2, 3], [0, 2]], [2.0, 0.5])
        """
        ordered = pairs.long().sort(dim=1).values  # (P, 2)
        values = scores.double()
        if k < len(values):  # leave out what cannot be among the best, so that less has to be sorted
            kept = (values >= _kth_largest(values, k)).nonzero().flatten()
            ordered, values = ordered[kept], values[kept]
        order = np.lexsort((ordered[:, 1].numpy(), ordered[:, 0].numpy(), -values.numpy()))[:k]
        chosen = torch.from_numpy(order)
        return cls(ordered[chosen], values[chosen])


def best_of_all(scores: Floats, keys: Ints, most: int, group: Group) -> tuple[Floats, Ints]:
    """The best of what every process of a group has found, for all of them, in any order.  (n,), (n,)"""
    if group.alone:
        return scores, keys
    scores = group.gather_rows(torch.from_numpy(scores), "links").numpy()
    keys = group.gather_rows(torch.from_numpy(keys), "links").numpy()
    best = np.lexsort((keys, -scores))[:most]
    return scores[best], keys[best]


def _kth_largest(values: Tensor, k: int) -> float:
    if k <= 0:
        return float("inf")
    return float(np.partition(values.numpy(), len(values) - k)[len(values) - k])
