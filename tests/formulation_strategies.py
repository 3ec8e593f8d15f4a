"""Random formulations, and what Eq. 1 and Eq. 2 say of them in dense matrices, without code of the package."""

import torch
from hypothesis import strategies as st

from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM, Operator
from hlgnn.graph import Graph

WEIGHTS = st.integers(-4, 4).map(lambda quarters: quarters / 4)
SINGLE = st.sampled_from([ADJ, SYM, ROW, COL])
MIXTURES = st.builds(Operator, WEIGHTS, WEIGHTS, WEIGHTS, WEIGHTS)


@st.composite
def formulations(
    draw: st.DrawFn,
    *,
    max_depth: int = 4,
    degree_scale: bool | None = None,
    operators: st.SearchStrategy[Operator] = SINGLE | MIXTURES,
) -> Formulation:
    """Formulations of any operators and weights, often with one operator repeated; ``None`` means either."""
    depth = draw(st.integers(0, max_depth))
    if draw(st.booleans()):
        chosen = [draw(operators)] * depth
    else:
        chosen = draw(st.lists(operators, min_size=depth, max_size=depth))
    return Formulation(
        draw(st.sampled_from(["h", "my own"])),
        tuple(chosen),
        tuple(draw(st.lists(WEIGHTS, min_size=depth + 1, max_size=depth + 1))),
        order=draw(st.sampled_from(["reading", "recurrence"])),
        degree_scale=draw(st.booleans()) if degree_scale is None else degree_scale,
        self_loops=draw(st.booleans()),
    )


def dense_adjacency(graph: Graph, *, self_loops: bool) -> torch.Tensor:
    """Ã.  (N, N)"""
    matrix = torch.zeros(graph.num_nodes, graph.num_nodes, dtype=torch.float64)
    weights = torch.ones(graph.num_links) if graph.link_weight is None else graph.link_weight
    for (i, j), weight in zip(graph.links.tolist(), weights.tolist(), strict=True):
        matrix[i, j] = matrix[j, i] = weight
    return matrix + torch.eye(graph.num_nodes, dtype=torch.float64) if self_loops else matrix


def dense_matrices(graph: Graph, *, self_loops: bool) -> torch.Tensor:
    """Ã, D^-½ Ã D^-½, D^-1 Ã and Ã D^-1.  (4, N, N)"""
    matrix = dense_adjacency(graph, self_loops=self_loops)
    degree = matrix.sum(dim=1)
    inverse = torch.diag(torch.where(degree > 0, 1 / degree, 0.0))
    return torch.stack([matrix, inverse.sqrt() @ matrix @ inverse.sqrt(), inverse @ matrix, matrix @ inverse])


def dense_operator(graph: Graph, operator: Operator | torch.Tensor, *, self_loops: bool) -> torch.Tensor:
    """Eq. 3, differentiable in the operator.  (N, N)"""
    weights = torch.as_tensor(operator, dtype=torch.float64)
    return (weights[:, None, None] * dense_matrices(graph, self_loops=self_loops)).sum(dim=0)


def dense_sum(operators: list[torch.Tensor], betas: torch.Tensor | tuple[float, ...], order: str) -> torch.Tensor:
    """Σ β_l A_1 ⋯ A_l (Eq. 1, "reading") or Σ β_l A_l ⋯ A_1 (Eq. 2, "recurrence"), of at least one operator.  (N, N)"""
    product = torch.eye(len(operators[0]), dtype=torch.float64)
    total = betas[0] * product
    for beta, operator in zip(betas[1:], operators, strict=True):
        product = product @ operator if order == "reading" else operator @ product
        total = total + beta * product
    return total


def dense_h(graph: Graph, formulation: Formulation) -> torch.Tensor:
    """H.  (N, N)"""
    loops = formulation.self_loops
    identity = torch.eye(graph.num_nodes, dtype=torch.float64)
    operators = [dense_operator(graph, operator, self_loops=loops) for operator in formulation.operators]
    h = dense_sum(operators, formulation.betas, formulation.order) if operators else formulation.betas[0] * identity
    if not formulation.degree_scale:
        return h
    twice = dense_adjacency(graph, self_loops=False).sum()
    degree = dense_adjacency(graph, self_loops=loops).sum(dim=1)
    return (degree / twice if twice > 0 else torch.zeros_like(degree))[:, None] * h
