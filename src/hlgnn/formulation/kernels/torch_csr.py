"""Products with torch's own sparse matrices: works wherever tensors live, and nothing is compiled."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import torch

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized


class Entries(NamedTuple):
    """The stored entries of Ã, its diagonal included, on the device and in the precision of a product."""

    place: Tensor  # (2, E), rows and columns
    value: Tensor  # (E,)
    inverse: Tensor  # (N,)
    root: Tensor  # (N,)

    @property
    def factors(self) -> Tensor:
        """What turns an entry of Ã into one of each of the four matrices of Table 1.  (4, E)"""
        row, column = self.place
        sym = self.root[row] * self.root[column]
        return torch.stack([torch.ones_like(sym), sym, self.inverse[row], self.inverse[column]])


# Copies on other devices live as long as the graph that they were made from.
_copies: WeakKeyDictionary[Normalized, dict[tuple[torch.device, torch.dtype], Entries]] = WeakKeyDictionary()


def forward(normalized: Normalized, operator: Tensor, x: Tensor) -> Tensor:
    """A X.  (4,), (N, F) -> (N, F)"""
    entries = _entries(normalized, x)
    weights = operator.to(entries.value) @ entries.factors * entries.value  # (E,)
    return _product(entries, weights, x.to(weights)).to(x)


def backward(normalized: Normalized, operator: Tensor, x: Tensor, grad: Tensor) -> tuple[Tensor, Tensor]:
    """Aᵀ G, and the gradient of the operator.  (4,), (N, F), (N, F) -> (N, F), (4,)

    ``P`` = Ã G, ``Q`` = Ã D^-½ G and ``R`` = Ã D^-1 G give both, without a transposed matrix.
    """
    entries = _entries(normalized, x)
    inverse, root = entries.inverse[:, None], entries.root[:, None]  # (N, 1)
    rows, below, (adj, sym, row, col) = x.to(inverse), grad.to(inverse), operator.to(inverse)
    p, q, r = (_product(entries, entries.value, scaled) for scaled in (below, root * below, inverse * below))
    parts = (p, root * q, r, inverse * p)  # Aᵀ G for each of the four matrices
    grad_x = (adj + col * inverse) * p + sym * root * q + row * r
    return grad_x.to(x), torch.stack([(part * rows).sum() for part in parts]).to(operator)


def pulled(
    normalized: Normalized,
    operator: Tensor,
    x: Tensor,
    grad: Tensor,
    weight: Tensor,
    base: Tensor,
    out: Tensor | None = None,
) -> tuple[Tensor, Tensor, Tensor]:
    """``backward`` + weight · B, and ⟨X, B⟩.  -> (N, F), (4,), ()"""
    grad_x, grad_operator = backward(normalized, operator, x, grad)
    return torch.add(grad_x, weight * base, out=out), grad_operator, (x * base).sum()


def shifted(
    normalized: Normalized, operator: Tensor, z: Tensor, weight: Tensor, x: Tensor, out: Tensor | None = None
) -> Tensor:
    """A Z + weight · X, a step of Horner's rule.  (4,), (N, F), (), (N, F) -> (N, F)"""
    return torch.add(forward(normalized, operator, z), weight * x, out=out)


def accumulated(
    normalized: Normalized, operator: Tensor, z: Tensor, weight: Tensor, total: Tensor, out: Tensor | None = None
) -> Tensor:
    """A Z; adds weight · A Z to ``total`` in place, a step of the recurrence.  (4,), (N, F), (), (N, F) -> (N, F)"""
    product = forward(normalized, operator, z)
    if out is not None:
        product = out.copy_(product)
    total += weight * product
    return product


def projected(
    normalized: Normalized,
    operator: Tensor,
    z: Tensor,
    weight: Tensor,
    total: Tensor,
    x: Tensor,
    out: Tensor | None = None,
) -> tuple[Tensor, Tensor]:
    """``accumulated``, and ⟨A Z, X⟩.  -> (N, F), ()"""
    product = accumulated(normalized, operator, z, weight, total, out)
    return product, (product * x).sum()


def _product(entries: Entries, value: Tensor, x: Tensor) -> Tensor:
    size = (len(entries.root), len(entries.root))
    matrix = torch.sparse_coo_tensor(entries.place, value, size, is_coalesced=True, check_invariants=False)
    product: Tensor = torch.sparse.mm(matrix, x)
    return product


def _entries(normalized: Normalized, x: Tensor) -> Entries:
    """The entries for this product; torch has no sparse products in half precision, so these are done in single."""
    dtype = torch.float64 if x.dtype == torch.float64 else torch.float32
    copies = _copies.setdefault(normalized, {})
    if (x.device, dtype) not in copies:
        copies[x.device, dtype] = _copy(normalized, x.device, dtype)
    return copies[x.device, dtype]


def _copy(normalized: Normalized, device: torch.device, dtype: torch.dtype) -> Entries:
    adjacency, weight = normalized.adjacency, normalized.weight
    place = torch.stack([adjacency.source, adjacency.neighbor.long()])  # (2, E)
    value = torch.ones(adjacency.num_edges, dtype=dtype) if weight is None else weight.to(dtype)
    if normalized.self_loops:
        place = torch.cat([place, torch.arange(normalized.num_nodes).expand(2, -1)], dim=1)
        value = torch.cat([value, value.new_ones(normalized.num_nodes)])
        order = (place[0] * normalized.num_nodes + place[1]).argsort()
        place, value = place[:, order], value[order]
    inverse, root = normalized.inverse.to(dtype), normalized.root.to(dtype)
    return Entries(place.to(device), value.to(device), inverse.to(device), root.to(device))
