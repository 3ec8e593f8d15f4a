"""Rows of H and of its orders: as many columns as nodes are asked for, never N × N."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from hlgnn.formulation.geometric import tilted_product
from hlgnn.formulation.kernels import choose

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation import Formulation, Normalized
    from hlgnn.graph import Graph


def unit_rows(formulation: Formulation, graph: Graph, nodes: tuple[int, ...], *, centre: bool) -> Tensor:
    """e_i of each node, less the mean over all nodes if Z is centred, times d̃_i / 2M if rows are scaled.  -> (N, Q)

    Mᵀ times these are the rows of a matrix M at the nodes, measured from its mean row if Z is centred.
    """
    starts = torch.zeros(graph.num_nodes, len(nodes), dtype=torch.float64)
    starts[list(nodes), range(len(nodes))] = 1.0
    if centre:
        starts -= 1.0 / graph.num_nodes
    if not formulation.degree_scale:
        return starts
    return replace(formulation, operators=(), betas=(1.0,), tilts=()).apply(graph, starts)


def full_rows(formulation: Formulation, graph: Graph, starts: Tensor) -> Tensor:
    """Hᵀ S (Eq. 1): rows of H from those of the identity.  (N, Q) -> (N, Q)"""
    return replace(formulation, degree_scale=False).transposed.apply(graph, starts)


def order_rows(formulation: Formulation, normalized: Normalized, starts: Tensor) -> Tensor:
    """The same for each product A_1 ⋯ A_l (Eq. 1), or A_l ⋯ A_1 (Eq. 2), without its β.  (N, Q) -> (L + 1, N, Q)"""
    layers = set(zip(formulation.operators, formulation.tilts or formulation.operators, strict=True))
    if formulation.order == "reading" or len(layers) <= 1:
        found = [starts]
        for layer in range(formulation.depth):
            found.append(layer_product(formulation, normalized, layer, found[-1], transposed=True))
        return torch.stack(found)
    # The row of A_l ⋯ A_1 meets A_l first: orders join one by one, the highest first, and end together.
    depth, (count, width) = formulation.depth, starts.shape
    joined = starts[:, :0]
    for layer in reversed(range(depth)):
        joined = torch.cat([starts, joined], dim=1)  # (N, Q (L - l))
        joined = layer_product(formulation, normalized, layer, joined, transposed=True)
    return torch.cat([starts, joined], dim=1).view(count, depth + 1, width).transpose(0, 1)


def layer_product(
    formulation: Formulation, normalized: Normalized, layer: int, x: Tensor, *, transposed: bool = False
) -> Tensor:
    """A_l X, or A_lᵀ X; layers count from 0 here (Eq. 3).  (N, Q) -> (N, Q)"""
    if formulation.tilts:
        tilt = formulation.tilts[layer]
        return tilted_product(normalized, torch.tensor(0.5 + (-tilt if transposed else tilt), dtype=torch.float64), x)
    operator = formulation.operators[layer]
    weights = torch.tensor(operator.transposed if transposed else operator, dtype=torch.float64)
    return choose(x).forward(normalized, weights, x.contiguous())


def entries(
    formulation: Formulation, normalized: Normalized, layer: int, source: Tensor, target: Tensor, edge: Tensor
) -> Tensor:
    """(A_l)_ab of linked pairs (a, b) (Eq. 3); ``edge`` is where they are stored.  (P,), (P,), (P,) -> (P,)"""
    weight = torch.ones(len(edge), dtype=torch.float64)
    if normalized.weight is not None:
        weight = normalized.weight[edge].double()
    left, right = normalized.degree[source].double(), normalized.degree[target].double()
    if formulation.tilts:
        share = 0.5 + formulation.tilts[layer]
        return weight * left ** -(1 - share) * right**-share
    adj, sym, row, col = formulation.operators[layer]
    return weight * (adj + sym / (left * right).sqrt() + row / left + col / right)
