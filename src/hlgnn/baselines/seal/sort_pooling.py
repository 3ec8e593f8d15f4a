"""SortPooling: of each subgraph the nodes with the largest values, in descending order."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import torch

from hlgnn.models.rows import take_rows

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    Array = npt.NDArray[Any]


def largest(first: npt.NDArray[np.int64], values: Tensor, count: int) -> Tensor:
    """Rows with the ``count`` largest values of each subgraph, −1 where it has fewer.  (P + 1,), (S,) -> (P, count)

    Of equal values the one that stands first comes first.
    """
    return torch.from_numpy(_largest(first, values.detach().numpy(), count))


def pool(rows: Tensor, chosen: Tensor) -> Tensor:
    """The chosen rows, zeros for −1.  (S, F), (P, K) -> (P, K, F)"""
    taken = take_rows(rows, chosen.clamp(min=0))
    return taken * (chosen >= 0).unsqueeze(-1)


@numba.njit(cache=True, nogil=True)
def _largest(first: Array, values: Array, count: int) -> Array:
    chosen = np.full((len(first) - 1, count), -1, np.int64)
    for p in range(len(first) - 1):
        start = first[p]
        order = np.argsort(-values[start : first[p + 1]], kind="mergesort")
        for rank in range(min(count, len(order))):
            chosen[p, rank] = start + order[rank]
    return chosen
