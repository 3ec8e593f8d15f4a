"""From intersections of neighbourhoods to the numbers that BUDDY reads about a pair.

(k, l) counts the nodes at distance k from i and l from j, where each end counts as its own neighbour, at distance one;
(0, l) those at distance l from j and farther than K from i, and (k, 0) the mirror. Three slips of the public program
are mended here, and are back in the form ``published``; two more are not of this file:

* for K = 2, its (2, 0) subtracts (1, 1) twice;
* for K = 3, its (2, 0) subtracts (3, 1) where (1, 3) belongs, and (3, 0) inherits that;
* for K = 3, without ``zero_one``, it blanks (3, 1) and (1, 3) where (0, 1) and (1, 0) are meant;
* its propagated orders A^k X are all A X (see ``inputs``), in the form ``published`` here too;
* links that are learned from are in the graph that is sketched, which adds two to (1, 1) in training and never in
  the test. Here ``train.hide`` takes them out; ``train.hide = "none"`` is what the authors do.
"""

from __future__ import annotations

import torch
from torch import Tensor

CLASSES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((1, 1), (0, 1), (1, 0)),
    2: ((1, 1), (2, 1), (1, 2), (2, 2), (0, 1), (1, 0), (0, 2), (2, 0)),
    3: (
        *((1, 1), (2, 1), (1, 2), (2, 2), (3, 1), (1, 3), (3, 2), (2, 3), (3, 3)),
        *((0, 1), (1, 0), (0, 2), (2, 0), (0, 3), (3, 0)),
    ),
}
"""K (K + 2) classes in the order in which they are read."""


def class_counts(intersections: Tensor, left: Tensor, right: Tensor) -> Tensor:
    """Inclusion and exclusion: a_kl = I_kl − I_(k−1)l − I_k(l−1) + I_(k−1)(l−1).  (P, K, K), (P, K) × 2 -> (P, C)

    Estimates may be negative, and are left so.
    """
    hops = left.shape[1]
    inner = _differences(_differences(intersections, 1), 2)  # (P, K, K)
    beyond_right = _differences(left, 1) - inner.sum(dim=2)  # (P, K): (k, 0)
    beyond_left = _differences(right, 1) - inner.sum(dim=1)  # (P, K): (0, l)
    table = torch.zeros(len(left), hops + 1, hops + 1, dtype=inner.dtype)
    table[:, 1:, 1:], table[:, 1:, 0], table[:, 0, 1:] = inner, beyond_right, beyond_left
    k, other = torch.tensor(CLASSES[hops]).T
    return table[:, k, other]


def published_slips(counts: Tensor, hops: int) -> Tensor:
    """The same counts as the public program has them.  (P, C)"""
    place, counts = {each: at for at, each in enumerate(CLASSES[hops])}, counts.clone()
    if hops == 2:
        counts[:, place[2, 0]] -= counts[:, place[1, 1]]
    if hops == 3:
        slip = counts[:, place[1, 3]] - counts[:, place[3, 1]]
        counts[:, place[2, 0]] += slip
        counts[:, place[3, 0]] -= slip
    return counts


def blanked(hops: int, form: str) -> list[int]:
    """Which columns are zero without ``zero_one``: (0, k) and (k, 0) for k < K."""
    if form == "published" and hops == 3:
        wrong = {(3, 1), (1, 3), (0, 2), (2, 0)}
        return [at for at, each in enumerate(CLASSES[hops]) if each in wrong]
    return [at for at, each in enumerate(CLASSES[hops]) if 0 in each and max(each) < hops]


def mirrored(hops: int) -> list[int]:
    """The column of (l, k) for every column (k, l): how the other end of a pair sees it."""
    return [CLASSES[hops].index((other, k)) for k, other in CLASSES[hops]]


def _differences(values: Tensor, axis: int) -> Tensor:
    """What each entry has more than the one before it; the first stays."""
    return torch.diff(values, dim=axis, prepend=torch.zeros_like(values.narrow(axis, 0, 1)))
