"""The definitions written out with dense matrices: what every fast way is compared with."""

import numpy as np
import torch
from hypothesis import strategies as st

from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM, Operator
from hlgnn.graph.graph import Graph


def dense_adjacency(graph: Graph, *, self_loops: bool, weighted: bool = True) -> np.ndarray:
    """Ã.  (N, N)"""
    matrix = np.eye(graph.num_nodes) * self_loops
    weight = graph.link_weight if weighted else None
    values = np.ones(graph.num_links) if weight is None else weight.double().numpy()
    i, j = graph.links.numpy().T
    matrix[i, j] = matrix[j, i] = values
    return matrix


def dense_inverse(values: np.ndarray) -> np.ndarray:
    """1 / x, zero where x is."""
    return np.divide(1.0, values, out=np.zeros_like(values), where=values > 0)


def dense_operator(matrix: np.ndarray, operator: Operator) -> np.ndarray:
    """Eq. 3 on Ã.  (N, N)"""
    inverse = np.diag(dense_inverse(matrix.sum(axis=1)))
    root = np.sqrt(inverse)
    parts = (matrix, root @ matrix @ root, inverse @ matrix, matrix @ inverse)
    return sum(weight * part for weight, part in zip(operator, parts, strict=True))


def dense_h(graph: Graph, formulation: Formulation) -> np.ndarray:
    """Eq. 1 or Eq. 2, term by term.  (N, N)"""
    matrix = dense_adjacency(graph, self_loops=formulation.self_loops)
    product = np.eye(graph.num_nodes)
    total = formulation.betas[0] * product
    for operator, beta in zip(formulation.operators, formulation.betas[1:], strict=True):
        factor = dense_operator(matrix, operator)
        product = product @ factor if formulation.order == "reading" else factor @ product
        total = total + beta * product
    if formulation.degree_scale:
        twice = dense_adjacency(graph, self_loops=False).sum()
        total = np.diag(matrix.sum(axis=1) / twice if twice else np.zeros(len(matrix))) @ total
    return total


def all_pairs(num_nodes: int) -> torch.Tensor:
    """(0, 0), (0, 1), …  (N², 2)"""
    nodes = torch.arange(num_nodes)
    return torch.cartesian_prod(nodes, nodes)


def assert_scores(actual: torch.Tensor, expected: np.ndarray, tolerance: float = 1e-12) -> None:
    """Equal to 1e-12 of each score."""
    np.testing.assert_allclose(actual.numpy(), expected.ravel(), rtol=tolerance)


def operators() -> st.SearchStrategy[Operator]:
    """Matrices of Table 1, and mixtures of them."""
    mixtures = st.tuples(*[st.sampled_from((0.0, 0.25, 0.5, 1.0))] * 4).map(lambda weights: Operator(*weights))
    return st.sampled_from((ADJ, SYM, ROW, COL)) | mixtures


@st.composite
def formulations(
    draw: st.DrawFn, *, max_depth: int = 7, betas: tuple[float, ...] = (0.0, 0.1, 1.0, 2.0)
) -> Formulation:
    """Any operators, one repeated or several, in both orders."""
    depth = draw(st.integers(0, max_depth))
    same = draw(st.booleans())
    one = draw(operators())
    chosen = (one,) * depth if same else tuple(draw(st.lists(operators(), min_size=depth, max_size=depth)))
    return Formulation(
        "drawn",
        chosen,
        tuple(draw(st.lists(st.sampled_from(betas), min_size=depth + 1, max_size=depth + 1))),
        draw(st.sampled_from(("reading", "recurrence"))),
        degree_scale=draw(st.booleans()),
        self_loops=draw(st.booleans()),
    )
