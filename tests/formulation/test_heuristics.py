"""The catalogue is Table 2: every entry equals its definition, written out with sets or dense matrices."""

import math

import networkx as nx
import numpy as np
import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from dense_matrices import all_pairs, assert_scores, dense_adjacency, dense_inverse
from hlgnn.errors import SettingsError, UnknownNameError
from hlgnn.formulation import heuristics
from hlgnn.formulation.catalogue import ALIASES, HEURISTICS, entry_of, parse
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.heuristics import glhn, katz, local_random_walk, random_walk_with_restart
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM
from hlgnn.formulation.pair_scores import pair_scores
from hlgnn.formulation.series import Series
from hlgnn.formulation.spectrum import spectrum
from hlgnn.graph import Graph, complete, cycle, star
from strategies import graphs

GAMMA, ALPHA = 0.03, 0.6


def _power(matrix: np.ndarray, exponent: int) -> np.ndarray:
    return np.linalg.matrix_power(matrix, exponent)


def _definitions(graph: Graph, *, self_loops: bool) -> dict[str, np.ndarray]:
    """The matrix of scores of each request, from A alone."""
    a = dense_adjacency(graph, self_loops=self_loops)
    degree = a.sum(axis=1)
    inverse = dense_inverse(degree)
    walk = inverse[:, None] * a
    flow = np.sqrt(inverse)[:, None] * a * np.sqrt(inverse)[None, :]
    identity = np.eye(len(a))
    twice = dense_adjacency(graph, self_loops=False).sum()
    start = degree / twice if twice else np.zeros_like(degree)
    shared = np.einsum("ik,kj->ikj", a, a)  # a_ik a_kj for each k in between
    return {
        "cn": shared.sum(axis=1),
        "llhn": shared.sum(axis=1) * np.outer(inverse, inverse),
        "ra": np.einsum("ikj,k->ij", shared, inverse),
        "ra-rows": np.einsum("ikj,k->ij", shared, inverse),
        "inverse-square": np.einsum("ikj,k->ij", shared, inverse**2),
        "normalized-ra": np.einsum("ikj,k->ij", shared, inverse) * np.sqrt(np.outer(inverse, inverse)),
        f"ki:gamma={GAMMA},order=5": sum(GAMMA**n * _power(a, n) for n in range(1, 6)),
        f"glhn:phi={GAMMA},order=4": identity + sum(GAMMA**n * _power(a, n) for n in range(1, 5)),
        f"lpi:gamma={GAMMA},order=4": sum(GAMMA ** (n - 2) * _power(a, n) for n in range(2, 5)),
        f"rwr:alpha={ALPHA},order=9": sum((1 - ALPHA) * ALPHA**n * _power(walk, n) for n in range(10)),
        f"fp:alpha={ALPHA},order=9": sum((1 - ALPHA) * ALPHA**n * _power(flow, n) for n in range(10)),
        f"lrw:alpha={ALPHA},order=3": start[:, None] * sum((1 - ALPHA) * ALPHA**n * _power(walk, n) for n in range(3)),
        f"rwr:alpha={ALPHA},tolerance=1e-15": (1 - ALPHA) * np.linalg.inv(identity - ALPHA * walk),
        f"fp:alpha={ALPHA},tolerance=1e-15": (1 - ALPHA) * np.linalg.inv(identity - ALPHA * flow),
    }


@given(graph=graphs(max_nodes=9, weighted=None), self_loops=st.booleans())
def test_every_entry_of_table_2_is_its_definition(graph: Graph, self_loops: bool) -> None:
    for request, expected in _definitions(graph, self_loops=self_loops).items():
        heuristic = parse(request, self_loops=self_loops)
        tolerance = 1e-11 if "tolerance" in request else 1e-12
        scores = heuristic.scores(graph, all_pairs(graph.num_nodes))
        np.testing.assert_allclose(scores.numpy(), expected.ravel(), rtol=tolerance, atol=1e-14, err_msg=request)


@given(graph=graphs(max_nodes=9, weighted=None), self_loops=st.booleans(), share=st.floats(0.01, 0.95))
def test_the_endless_katz_index_is_an_inverse(graph: Graph, self_loops: bool, share: float) -> None:
    a = dense_adjacency(graph, self_loops=self_loops)
    largest = max(np.linalg.eigvalsh(a)[-1], 1e-3)
    gamma = share / largest
    inverse = np.linalg.inv(np.eye(len(a)) - gamma * a)
    for heuristic, expected in (
        (katz(gamma, None, tolerance=1e-14, self_loops=self_loops), inverse - np.eye(len(a))),
        (glhn(gamma, None, tolerance=1e-14, self_loops=self_loops), inverse),
    ):
        scores = heuristic.scores(graph, all_pairs(graph.num_nodes))
        np.testing.assert_allclose(scores.numpy(), expected.ravel(), rtol=1e-11, atol=1e-12 * inverse.max())


@given(
    graph=graphs(max_nodes=9, weighted=None), tolerance=st.sampled_from((1e-2, 1e-4, 1e-6)), share=st.floats(0.1, 0.9)
)
def test_what_is_left_out_stays_below_the_tolerance(graph: Graph, tolerance: float, share: float) -> None:
    a = dense_adjacency(graph, self_loops=True)
    gamma = share / np.linalg.eigvalsh(a)[-1]
    exact = np.linalg.inv(np.eye(len(a)) - gamma * a) - np.eye(len(a))
    series = katz(gamma, None, tolerance=tolerance)
    assert isinstance(series, Series)
    error = np.abs(pair_scores(series.on(graph), graph, all_pairs(len(a))).numpy() - exact.ravel())
    assert error.max() <= tolerance * (1 + 1e-9)
    walk = random_walk_with_restart(alpha=share, tolerance=tolerance)
    exact = (1 - share) * np.linalg.inv(np.eye(len(a)) - share * a / a.sum(axis=1)[:, None])
    error = np.abs(walk.scores(graph, all_pairs(len(a))).numpy() - exact.ravel()).reshape(len(a), -1)
    assert error.sum(axis=1).max() <= tolerance * (1 + 1e-9)  # whole rows


def test_the_number_of_terms_is_no_larger_than_needed() -> None:
    for alpha, tolerance in ((0.5, 1e-3), (0.85, 1e-6), (0.85, 1e-9)):
        depth = random_walk_with_restart(alpha, tolerance=tolerance).on(star(5)).depth
        assert alpha ** (depth + 1) <= tolerance < alpha**depth


@given(graph=graphs(max_nodes=12, weighted=False), self_loops=st.just(False))
def test_without_self_loops_counts_are_those_of_networkx(graph: Graph, self_loops: bool) -> None:
    plain = nx.Graph(graph.links.tolist())
    plain.add_nodes_from(range(graph.num_nodes))
    pairs = [(i, j) for i, j in all_pairs(graph.num_nodes).tolist() if i != j]
    assume(pairs)
    common = [len(list(nx.common_neighbors(plain, i, j))) for i, j in pairs]
    allocated = [score for _, _, score in nx.resource_allocation_index(plain, pairs)]
    for request, expected in (("cn", common), ("ra", allocated), ("ra-rows", allocated)):
        scores = parse(request, self_loops=self_loops).scores(graph, torch.tensor(pairs))
        assert_scores(scores, np.array(expected, dtype=float))


def test_operators_and_betas_are_those_of_table_2() -> None:
    local = {
        heuristics.common_neighbors: (ADJ, ADJ),
        heuristics.llhn: (ROW, COL),
        heuristics.resource_allocation: (COL, ADJ),
        heuristics.resource_allocation_by_rows: (ADJ, ROW),
        heuristics.inverse_square: (COL, ROW),
        heuristics.normalized_resource_allocation: (SYM, SYM),
    }
    for build, operators in local.items():
        assert build() == Formulation(build().name, operators, (0.0, 0.0, 1.0))
    assert katz(0.5, 3).betas == (0.0, 0.5, 0.25, 0.125)
    assert glhn(0.5, 3).betas == (1.0, 0.5, 0.25, 0.125)
    assert heuristics.local_path(0.5, 4).betas == (0.0, 0.0, 1.0, 0.5, 0.25)
    assert random_walk_with_restart(0.5, 2).betas == (0.5, 0.25, 0.125)
    walk = local_random_walk(0.5, 3)
    assert isinstance(walk, Formulation)
    assert (walk.operators, walk.betas, walk.degree_scale) == ((ROW, ROW), (0.5, 0.25, 0.125), True)


def test_resource_allocation_on_a_star() -> None:
    score = parse("ra").scores(star(leaves=4), torch.tensor([[1, 2]]))
    assert score.item() == pytest.approx(1 / 5)  # one common neighbour, of degree 4 + 1


@pytest.mark.parametrize("graph", [cycle(7), complete(5), star(100)])
@pytest.mark.parametrize("self_loops", [True, False])
def test_a_sum_that_diverges_is_refused_with_the_limit(graph: Graph, self_loops: bool) -> None:
    largest = spectrum(graph, self_loops=self_loops).largest
    for build in (katz, glhn):
        build(0.999 / largest, None, self_loops=self_loops).on(graph)
        for factor in (1.0, 1.001, 10.0):
            with pytest.raises(SettingsError) as caught:
                build(factor / largest, None, self_loops=self_loops).on(graph)
            assert f"{largest:.6g}"[:5] in str(caught.value)
            assert f"{1 / largest:.4g}"[:5] in str(caught.value)


def test_a_sum_that_hardly_converges_is_refused() -> None:
    with pytest.raises(SettingsError, match="terms"):
        katz((1 - 1e-7) / 3, None).on(cycle(7))


@settings(max_examples=30)
@given(graph=graphs(weighted=None))
def test_symmetric_entries_are_symmetric(graph: Graph) -> None:
    pairs = all_pairs(graph.num_nodes)
    for name in HEURISTICS:
        heuristic = parse(name)
        if heuristic.symmetric:
            forward, backward = heuristic.scores(graph, pairs), heuristic.scores(graph, pairs.flip(1))
            torch.testing.assert_close(forward, backward, rtol=1e-9, atol=1e-12)


def test_a_restarting_walk_is_not_symmetric_unless_asked() -> None:
    pairs = torch.tensor([[0, 1], [1, 0]])
    one_way = parse("rwr").scores(star(4), pairs)
    both = parse("rwr:symmetrized=true").scores(star(4), pairs)
    assert one_way[0] != one_way[1]
    torch.testing.assert_close(both, one_way.sum().expand(2))
    assert not parse("rwr").symmetric
    assert parse("rwr:symmetrized=yes").symmetric
    assert parse("lrw").symmetric


def test_every_heuristic_is_listed_with_what_it_takes() -> None:
    expected = "cn llhn ra ra-rows inverse-square normalized-ra ki glhn rwr fp lpi lrw"
    beside = "aa jaccard salton sorensen hpi hdi pa shortest-path"
    assert list(HEURISTICS) == f"{expected} {beside}".split()
    for name, entry in zip(HEURISTICS, HEURISTICS.values(), strict=True):
        built = parse(name)
        assert entry.name == built.name == name
        assert entry.title
        assert entry.formula
        assert built.self_loops
        assert not parse(name, self_loops=False).self_loops
        for parameter in entry.parameters:
            parameter.check(parameter.default, name)
            assert parameter.meaning
    assert [name for name in HEURISTICS if HEURISTICS[name].parameters] == ["ki", "glhn", "rwr", "fp", "lpi", "lrw"]


def test_the_listed_defaults_are_those_of_the_functions() -> None:
    for name, entry in zip(HEURISTICS, HEURISTICS.values(), strict=True):
        given_defaults = {parameter.name: parameter.default for parameter in entry.parameters}
        assert entry.build(**given_defaults) == entry.build(), name


def test_other_names_lead_to_the_same() -> None:
    for alias, name in ALIASES.items():
        assert entry_of(alias) is HEURISTICS[name]
    assert parse("Katz : gamma = 0.01 , order = 2").betas == (0.0, 0.01, 0.01**2)
    assert parse("katz:gamma=0.01").name == "katz:gamma=0.01"


@pytest.mark.parametrize(
    ("text", "field", "hint"),
    [
        ("ki:gamma=0", "ki.gamma", "a number above 0"),
        ("ki:gamma=much", "ki.gamma", "a number above 0"),
        ("ki:gamma=nan", "ki.gamma", "a number above 0"),
        ("ki:order=2.5", "ki.order", "a whole number above 0"),
        ("ki:order=0", "ki.order", "a whole number above 0"),
        ("lpi:order=1", "lpi.order", "a whole number above 1"),
        ("rwr:alpha=1", "rwr.alpha", "a number above 0 and below 1"),
        ("rwr:order=-1", "rwr.order", "a whole number above 0 or none"),
        ("rwr:tolerance=0", "rwr.tolerance", "a number above 0 and below 1"),
        ("rwr:symmetrized=maybe", "rwr.symmetrized", "true or false"),
        ("rwr:beta=1", "rwr.beta", "alpha"),
        ("cn:order=1", "cn.order", "takes no parameters"),
        ("ki:gamma", "ki", "gamma=value"),
    ],
)
def test_illegal_parameters_name_the_field_and_its_range(text: str, field: str, hint: str) -> None:
    with pytest.raises(SettingsError) as caught:
        parse(text)
    assert caught.value.where == field
    assert hint in caught.value.hint


def test_functions_refuse_what_parse_refuses() -> None:
    for build in (
        lambda: katz(-1.0),
        lambda: glhn(order=0),
        lambda: random_walk_with_restart(alpha=1.0),
        lambda: random_walk_with_restart(tolerance=0.0),
        lambda: heuristics.local_path(order=1),
        lambda: local_random_walk(order=0),
        lambda: heuristics.flow_propagation(alpha=math.nan),
    ):
        with pytest.raises(SettingsError):
            build()


def test_an_unknown_name_gets_the_nearest_one() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'jaccard'"):
        parse("jacard")
