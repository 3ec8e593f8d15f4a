"""How near each end of a pair is to the neighbours of the other: links that are nearly there.

Common neighbours count the neighbours k of j that i is linked to. Few pairs have one, and many have a neighbour that is
like one: with the cosines s_ik = ⟨u_i , u_k⟩ in the place of links, resource allocation Σ_k A_ik A_kj / d_k (Table 2)
becomes Σ_k max(0, s_ik) A_kj / d_k, the product of a similarity with Ã_cs, which every pair has a value of.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numba
import numpy as np
import torch

from hlgnn.graph.threads import run_spans

if TYPE_CHECKING:
    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

    Array = npt.NDArray[Any]

FAST = {"contract", "reassoc", "nsz"}
KINDS = ("the nearest neighbour", "the three nearest neighbours", "resource allocation by cosines")
# What a neighbour counts that is not there, or is less like the end than this.
NO_NEIGHBOR = -0.2
FEW_PAIRS = 512


@dataclass(frozen=True, eq=False)
class Across:
    """A message graph as ends are compared with neighbours in it.

    Attributes:
        pattern: The graph without self-loops and weights.
        units: A^l X of some orders in centred rows of length one.  (N, K, F)
        places: Which of these orders are compared.
    """

    pattern: Normalized
    units: Tensor
    places: tuple[int, ...]


def across_numbers(view: Across, pairs: Tensor) -> Tensor:
    """For each order the sum over both ends, then the absolute difference, of the three kinds.  (P, 2) -> (P, 6 K)

    The kinds are the largest cosine of an end with a neighbour of the other, the mean of the three largest, and the
    logarithm of 1 + 10 Σ_k max(0, s_ik) / d_k. An end is no neighbour of the other here, linked
    or not.
    """
    adjacency = view.pattern.adjacency
    found = torch.empty(len(pairs), 2, len(view.places), len(KINDS), dtype=view.units.dtype)
    shared = (
        adjacency.offset.numpy(),
        adjacency.neighbor.numpy(),
        view.pattern.inverse.to(view.units.dtype).numpy(),
        view.units.numpy(),
        np.array(view.places, dtype=np.int64),
        pairs.numpy(),
        found.numpy(),
    )
    run_spans(_compare, shared, len(pairs), fewest=FEW_PAIRS)
    left, right = found.unbind(dim=1)  # (P, K, 3)
    return torch.stack([left + right, (left - right).abs()], dim=2).flatten(1)


def across_names(orders: tuple[int, ...]) -> list[str]:
    """What the numbers are called."""
    return [
        f"{how} ends across to the other's side at order {order}, {kind}"
        for order in orders
        for how in ("both", "difference of the")
        for kind in KINDS
    ]


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _compare(
    offset: Array,
    neighbor: Array,
    inverse: Array,
    units: Array,
    places: Array,
    pairs: Array,
    out: Array,
    start: int,
    stop: int,
) -> None:
    for place in range(start, stop):
        for side in range(2):
            end, other = pairs[place, side], pairs[place, 1 - side]
            for order in range(len(places)):
                _compare_end(offset, neighbor, inverse, units, places[order], end, other, out[place, side, order])


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def _compare_end(
    offset: Array, neighbor: Array, inverse: Array, units: Array, order: int, end: int, other: int, out: Array
) -> None:
    """The three kinds for the cosines of ``end`` with the neighbours of ``other``."""
    here = units[end, order]
    first = second = third = out.dtype.type(NO_NEIGHBOR)
    allocated = out.dtype.type(0)
    for entry in range(offset[other], offset[other + 1]):
        node = neighbor[entry]
        if node == end:
            continue
        there, cosine = units[node, order], out.dtype.type(0)
        for column in range(len(here)):
            cosine += here[column] * there[column]
        if cosine > first:
            first, second, third = cosine, first, second
        elif cosine > second:
            second, third = cosine, second
        elif cosine > third:
            third = cosine
        allocated += max(cosine, out.dtype.type(0)) * inverse[node]
    out[0], out[1], out[2] = first, (first + second + third) / 3, np.log1p(10 * allocated)
