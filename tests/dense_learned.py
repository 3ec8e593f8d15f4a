"""Learned propagation written out with dense matrices in double precision, differentiable in everything."""

from typing import get_args

import torch
from torch import Tensor

from formulation_strategies import dense_adjacency, dense_matrices, dense_sum
from hlgnn.formulation.mixture_bound import mixture_bounds
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph
from hlgnn.models import Messages, Propagation, PropagationSettings

MODES: tuple[str, ...] = get_args(PropagationSettings.model_fields["operators"].annotation)
ORDERS: tuple[str, ...] = get_args(PropagationSettings.model_fields["order"].annotation)


def drawn_propagation(seed: int, **chosen: object) -> Propagation:
    """A propagation in double precision with drawn α and β, far from where they start."""
    generator = torch.Generator().manual_seed(seed)
    propagation = Propagation(PropagationSettings(**chosen), generator).double()
    with torch.no_grad():
        for parameter in propagation.parameters():
            parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64))
    return propagation


def double_messages(propagation: Propagation, graph: Graph) -> Messages:
    """The message graph in double precision."""
    return propagation.messages(normalize(graph.adjacency, dtype=torch.float64))


def dense_layers(propagation: Propagation, graph: Graph, messages: Messages) -> list[Tensor]:
    """A_1 … A_L.  (N, N) each"""
    mode, depth, alpha = propagation.settings.operators, propagation.settings.depth, propagation.alpha
    _, sym, row, col = dense_matrices(graph, self_loops=True)
    if alpha is None:
        return [{"sym": sym, "row": row, "col": col}[mode]] * depth
    if mode == "geometric":
        matrix = dense_adjacency(graph, self_loops=True)
        degree = matrix.sum(dim=1)
        shares = 1 / (1 + torch.exp(-alpha))
        return [degree[:, None] ** -(1 - share) * matrix * degree[None, :] ** -share for share in shares]
    weights = torch.exp(alpha) / torch.exp(alpha).sum(dim=1, keepdim=True)
    if mode == "mixture" and messages.bounds is not None:
        weights = weights / mixture_bounds(messages.bounds, weights)[:, None]
    return [a * row + b * col + c * sym for a, b, c in weights]


def dense_learned(propagation: Propagation, graph: Graph, messages: Messages) -> Tensor:
    """H of Eq. 1 or Eq. 2, orders that do not count left out.  (N, N)"""
    layers = dense_layers(propagation, graph, messages)
    if not layers:
        return propagation.used_beta[0] * torch.eye(graph.num_nodes, dtype=torch.float64)
    return dense_sum(layers, propagation.used_beta, propagation.settings.order)
