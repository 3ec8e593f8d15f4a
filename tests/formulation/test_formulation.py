from dataclasses import replace

import pytest
import scipy.sparse
import torch
from hypothesis import assume, example, given
from hypothesis import strategies as st
from torch.testing import assert_close

from formulation_strategies import SINGLE, dense_h, formulations
from hlgnn.errors import SettingsError
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM, Operator
from hlgnn.graph import Graph, karate_club, star
from strategies import graphs

PATH_AND_HUB = Graph.from_edges(6, torch.tensor([[0, 1], [1, 2], [2, 3], [1, 3], [1, 4], [4, 5]]))


def near(left: torch.Tensor, right: torch.Tensor, tolerance: float = 1e-11) -> None:
    largest = float(right.abs().max()) if right.numel() else 0.0
    assert_close(left.double(), right, rtol=0, atol=tolerance * max(1.0, largest))


def eye(graph: Graph) -> torch.Tensor:
    return torch.eye(graph.num_nodes, dtype=torch.float64)


def drawn(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(0))


@given(graph=graphs(weighted=None), formulation=formulations())
def test_applied_to_the_identity_it_is_h(graph: Graph, formulation: Formulation) -> None:
    near(formulation.apply(graph, eye(graph)), dense_h(graph, formulation))


@given(graph=graphs(weighted=None), formulation=formulations())
def test_single_precision_is_kept(graph: Graph, formulation: Formulation) -> None:
    x = drawn(graph.num_nodes, 3).float()
    z = formulation.apply(graph, x)
    assert z.dtype == torch.float32
    near(z, dense_h(graph, formulation) @ x.double(), 1e-4)


@given(graph=graphs(weighted=None), formulation=formulations())
def test_sparse_features_give_what_dense_ones_do(graph: Graph, formulation: Formulation) -> None:
    x = torch.randint(-1, 2, (graph.num_nodes, 4), generator=torch.Generator().manual_seed(0)).float()
    for kind in (scipy.sparse.csr_array, scipy.sparse.coo_matrix):
        z = formulation.apply(graph, kind(x.numpy()))
        assert z.dtype == torch.float32
        assert torch.equal(z, formulation.apply(graph, x))


def test_half_precision_is_kept_and_whole_numbers_become_double() -> None:
    formulation, x = Formulation("h", (SYM, ROW), (0.5, 0.25, 0.25)), torch.eye(34)
    h = dense_h(karate_club(), formulation)
    half = formulation.apply(karate_club(), x.bfloat16())
    assert half.dtype == torch.bfloat16
    near(half, h, 0.01)
    whole = formulation.apply(karate_club(), x.long())
    assert whole.dtype == torch.float64
    near(whole, h)


@given(graph=graphs(weighted=None), formulation=formulations())
def test_gradients_reach_the_features(graph: Graph, formulation: Formulation) -> None:
    x, upstream = drawn(graph.num_nodes, 2).requires_grad_(), drawn(graph.num_nodes, 2).flip(0)
    (gradient,) = torch.autograd.grad(formulation.apply(graph, x), x, upstream)
    near(gradient, dense_h(graph, formulation).T @ upstream)


@given(graph=graphs(weighted=None), formulation=formulations(), factor=st.sampled_from([-2.0, 0.5]), data=st.data())
def test_linear_in_the_betas(graph: Graph, formulation: Formulation, factor: float, data: st.DataObject) -> None:
    size = len(formulation.betas)
    others = data.draw(st.lists(st.integers(-3, 3).map(float), min_size=size, max_size=size))
    mixed = tuple(beta + factor * other for beta, other in zip(formulation.betas, others, strict=True))
    x = drawn(graph.num_nodes, 2)
    parts = formulation.apply(graph, x) + factor * replace(formulation, betas=tuple(others)).apply(graph, x)
    near(replace(formulation, betas=mixed).apply(graph, x), parts)


@given(graph=graphs(weighted=None), formulation=formulations(), data=st.data())
def test_relabelling_the_nodes_commutes(graph: Graph, formulation: Formulation, data: st.DataObject) -> None:
    order = torch.tensor(data.draw(st.permutations(range(graph.num_nodes))))
    x = drawn(graph.num_nodes, 2)
    near(formulation.apply(graph.subgraph(order), x[order]), formulation.apply(graph, x)[order])


@given(graph=graphs(weighted=None), formulation=formulations())
def test_an_isolated_node_changes_nothing_else(graph: Graph, formulation: Formulation) -> None:
    larger = Graph.from_edges(graph.num_nodes + 1, graph.links, weight=graph.link_weight)
    x = drawn(graph.num_nodes + 1, 2)
    near(formulation.apply(larger, x)[:-1], formulation.apply(graph, x[:-1]))


@given(graph=graphs(weighted=None), formulation=formulations(degree_scale=False))
def test_the_transpose(graph: Graph, formulation: Formulation) -> None:
    near(dense_h(graph, formulation.transposed), dense_h(graph, formulation).T)
    assert formulation.transposed.transposed == formulation
    assert formulation.transposed.symmetric == formulation.symmetric


@given(graph=graphs(weighted=None), formulation=formulations(degree_scale=True))
def test_the_transpose_of_scaled_rows_is_right_or_refused(graph: Graph, formulation: Formulation) -> None:
    if formulation.symmetric:
        near(dense_h(graph, formulation.transposed), dense_h(graph, formulation).T)
        assert formulation.transposed.transposed == formulation
    else:
        with pytest.raises(SettingsError, match="scale its columns"):
            _ = formulation.transposed


@given(graph=graphs(weighted=None), formulation=formulations())
@example(PATH_AND_HUB, Formulation("ra", (COL, ADJ), (0.0, 0.0, 1.0)))
@example(PATH_AND_HUB, Formulation("lrw", (ROW,) * 3, (0.2, 0.2, 0.2, 0.4), degree_scale=True, self_loops=False))
def test_what_is_called_symmetric_is(graph: Graph, formulation: Formulation) -> None:
    assume(formulation.symmetric)
    h = dense_h(graph, formulation)
    near(h.T, h)


@given(formulation=formulations(operators=SINGLE, degree_scale=None))
def test_single_matrices_are_judged_exactly(formulation: Formulation) -> None:
    """A graph with many different degrees and irrational weights leaves no room for a coincidence."""
    graph = Graph.from_edges(7, torch.combinations(torch.arange(7)), weight=torch.arange(1, 22.0).sqrt())
    products = [
        replace(formulation, betas=tuple(float(order == only) for order in range(formulation.depth + 1)))
        for only, beta in enumerate(formulation.betas)
        if beta != 0
    ]
    matrices = [dense_h(graph, product) for product in products]
    expected = all(torch.allclose(h, h.T, rtol=1e-9, atol=1e-12 * float(h.abs().max())) for h in matrices)
    assert formulation.symmetric == expected


@pytest.mark.parametrize(
    ("operators", "scaled", "symmetric"),
    [
        ((ADJ, ADJ), False, True),
        ((COL, ADJ), False, True),  # RA
        ((ADJ, ROW), False, True),  # RA as well
        ((ROW, COL), False, True),  # LLHN
        ((COL, ROW), False, True),
        ((SYM, SYM), False, True),
        ((SYM, SYM), True, False),
        ((ROW, ROW), False, False),
        ((ROW, ROW), True, True),  # LRW
        ((COL, COL), True, False),
        ((ROW, ADJ), False, False),
        ((Operator(row=0.5, col=0.5), Operator(row=0.5, col=0.5)), False, True),
        ((Operator(row=0.5, sym=0.5), Operator(sym=0.5, col=0.5)), False, True),
        ((Operator(row=0.5, sym=0.5), Operator(row=0.5, sym=0.5)), False, False),
        ((Operator(row=0.5), Operator(row=2.0)), True, True),
        ((ROW, Operator()), False, True),
    ],
)
def test_symmetry_of_known_products(operators: tuple[Operator, ...], scaled: bool, symmetric: bool) -> None:
    assert Formulation("h", operators, (0.3, 0.0, 1.0), degree_scale=scaled).symmetric == symmetric


def test_scaled_rows_of_a_graph_without_links_are_zero() -> None:
    graph = Graph.from_edges(3, torch.zeros(0, 2, dtype=torch.int64))
    z = Formulation("lrw", (ROW,), (0.5, 0.5), degree_scale=True).apply(graph, torch.ones(3, 1))
    assert z.tolist() == [[0.0], [0.0], [0.0]]


@pytest.mark.parametrize("x", [torch.ones(4, 2), torch.ones(5)])
def test_features_of_other_nodes_are_refused(x: torch.Tensor) -> None:
    with pytest.raises(SettingsError, match=r"formulation 'cn': The shape of x .* the graph has 5 nodes"):
        Formulation("cn", (ADJ, ADJ), (0.0, 0.0, 1.0)).apply(star(4), x)
