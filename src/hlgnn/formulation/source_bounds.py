"""How much a node's missing links can score at most, so that most nodes need no look."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from hlgnn.formulation.chain import degree_scale
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.spectrum import spectrum
from hlgnn.formulation.symmetrized import SingleMatrix, reversal, single_matrix

if TYPE_CHECKING:
    from hlgnn.formulation.chain import Floats, Nodes
    from hlgnn.formulation.formulation import Formulation
    from hlgnn.formulation.normalization import Normalized
    from hlgnn.graph import Graph

# Bounds and scores are rounded differently.
SLACK = 1 + 1e-9


@dataclass(frozen=True, eq=False)
class Order:
    """In which order sources are looked at.

    Attributes:
        sources: The sources, most promising first.  (S,)
        bounds: No missing link of a source at this place or later, except to sources before it, scores more.  (S,)
    """

    sources: Nodes
    bounds: Floats


def source_order(formulation: Formulation, graph: Graph, *, unordered: bool, both_ways: bool) -> Order:
    """Sources by what they promise, for one repeated matrix of Table 1 and β ≥ 0; else by number, and without bounds.

    A = D^-p Ã D^-q is similar to the symmetric S = D^-h Ã D^-h, h = (p + q) / 2. For a missing link u ≠ v the orders 0
    and 1 vanish, and (S^l)_uv = ⟨S e_u, S^{l−2} S e_v⟩ ≤ ‖S e_u‖ λ^{l−2} ‖S e_v‖ with λ the largest eigenvalue of S.
    Hence H_uv ≤ C a_u b_v, where C = Σ_{l ≥ 2} β_l λ^{l−2}, a_u = s_u d_u^{−(p−q)/2} ‖S e_u‖ and
    b_v = d_v^{(p−q)/2} ‖S e_v‖.

    Args:
        formulation: H.
        graph: The graph.
        unordered: Whether a pair is looked at once, from the end that comes first.
        both_ways: Whether the score is H_uv + H_vu.
    """
    everyone = np.arange(graph.num_nodes)
    single = single_matrix(formulation.operators[0]) if formulation.depth else None
    mixed = single is None or single.weight < 0 or reversal(formulation) is None
    if single is None or mixed or min(formulation.betas) < 0:
        return Order(everyone, np.full(graph.num_nodes, np.inf))
    constant, a, b = _factors(formulation, single, graph)
    constant *= 2 if both_ways else 1
    if not unordered:
        sources = np.lexsort((everyone, -a))
        return Order(sources, SLACK * constant * a[sources] * b.max(initial=0.0))
    promise = np.maximum(_relative(a), _relative(b))
    sources = np.lexsort((everyone, -promise))
    return Order(sources, SLACK * constant * _largest_after(a[sources]) * _largest_after(b[sources]))


def _factors(formulation: Formulation, single: SingleMatrix, graph: Graph) -> tuple[float, Floats, Floats]:
    """C, a and b."""
    normal = normalize(graph.adjacency, self_loops=formulation.self_loops)
    weight, p, q = single
    largest = weight * (spectrum(graph, self_loops=formulation.self_loops).bound if p + q == 0 else 1.0)
    constant = sum(beta * weight**2 * largest**extra for extra, beta in enumerate(formulation.betas[2:]))
    norm = _column_norms(normal, (p + q) / 2)
    degree = torch.where(normal.degree > 0, normal.degree, 1.0).numpy()
    a, b = norm * degree ** ((q - p) / 2), norm * degree ** ((p - q) / 2)
    if formulation.degree_scale:
        a = a * degree_scale(graph, self_loops=formulation.self_loops)
    return constant, a, b


def _column_norms(normal: Normalized, power: float) -> Floats:
    """‖S e_u‖ of S = D^-power Ã D^-power.  (N,)"""
    square = normal.inverse ** (2 * power)  # (N,)
    weight = torch.ones(normal.adjacency.num_edges, dtype=torch.float64) if normal.weight is None else normal.weight
    total = square * float(normal.self_loops)
    total = total.index_add(0, normal.adjacency.source, weight**2 * square[normal.adjacency.neighbor.long()])
    return np.asarray((total * square).sqrt().numpy())


def _relative(values: Floats) -> Floats:
    return np.asarray(values / (values.max(initial=0.0) or 1.0))


def _largest_after(values: Floats) -> Floats:
    """The largest value at or after each place.  (S,)"""
    return np.asarray(np.maximum.accumulate(values[::-1])[::-1])
