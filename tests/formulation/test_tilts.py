"""Formulations of tilted operators D^t Ã_sym D^-t: H, its transpose, its scores, its formula and its file."""

from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.testing import assert_close

from dense_matrices import all_pairs
from formulation_strategies import WEIGHTS, dense_adjacency, dense_h, dense_sum
from hlgnn.errors import SettingsError
from hlgnn.formulation.files import load_formulation, save_formulation
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.local_rules import as_local
from hlgnn.formulation.operators import COL, ROW, SYM
from hlgnn.graph import Graph, karate_club, star
from strategies import graphs

TILTS = st.integers(-4, 4).map(lambda quarters: quarters / 4)


@st.composite
def tilted(draw: st.DrawFn, *, max_depth: int = 4, degree_scale: bool | None = None) -> Formulation:
    depth = draw(st.integers(1, max_depth))
    return Formulation(
        "tilted",
        (SYM,) * depth,
        tuple(draw(st.lists(WEIGHTS, min_size=depth + 1, max_size=depth + 1))),
        order=draw(st.sampled_from(["reading", "recurrence"])),
        degree_scale=draw(st.booleans()) if degree_scale is None else degree_scale,
        self_loops=draw(st.booleans()),
        tilts=tuple(draw(st.lists(TILTS, min_size=depth, max_size=depth))),
    )


def dense_tilted(graph: Graph, formulation: Formulation) -> torch.Tensor:
    """H by its definition: D^t D^-½ Ã D^-½ D^-t for every layer, zero where a degree is.  (N, N)"""
    matrix = dense_adjacency(graph, self_loops=formulation.self_loops)
    degree = matrix.sum(dim=1)
    layers = []
    for tilt in formulation.tilts:
        outside, inside = (torch.where(degree > 0, degree**power, 0.0) for power in (tilt - 0.5, -tilt - 0.5))
        layers.append(outside[:, None] * matrix * inside)
    h = dense_sum(layers, formulation.betas, formulation.order)
    if formulation.degree_scale:
        twice = dense_adjacency(graph, self_loops=False).sum()
        h = (degree / twice if twice > 0 else torch.zeros_like(degree))[:, None] * h
    return h


def near(actual: torch.Tensor, expected: torch.Tensor, tolerance: float = 1e-10) -> None:
    largest = max(1.0, float(expected.abs().max())) if expected.numel() else 1.0
    assert_close(actual.double(), expected, rtol=0, atol=tolerance * largest)


@settings(max_examples=20)
@given(graph=graphs(weighted=None), formulation=tilted())
def test_applied_to_the_identity_it_is_h(graph: Graph, formulation: Formulation) -> None:
    eye = torch.eye(graph.num_nodes, dtype=torch.float64)
    near(formulation.apply(graph, eye), dense_tilted(graph, formulation))


@settings(max_examples=20)
@given(graph=graphs(weighted=None), formulation=tilted(), columns=st.integers(1, 3))
def test_scores_are_entries_of_h_in_blocks_of_any_size(graph: Graph, formulation: Formulation, columns: int) -> None:
    pairs = all_pairs(graph.num_nodes)[torch.randperm(graph.num_nodes**2, generator=torch.Generator().manual_seed(0))]
    expected = dense_tilted(graph, formulation)[pairs[:, 0], pairs[:, 1]]
    near(formulation.scores(graph, pairs), expected)
    near(formulation.scores(graph, pairs, memory=columns * 8 * 6 * graph.num_nodes), expected)


@settings(max_examples=20)
@given(graph=graphs(weighted=None), formulation=tilted(degree_scale=False))
def test_the_transpose(graph: Graph, formulation: Formulation) -> None:
    near(dense_tilted(graph, formulation.transposed), dense_tilted(graph, formulation).T)
    pairs = all_pairs(graph.num_nodes)
    near(formulation.transposed.scores(graph, pairs), formulation.scores(graph, pairs.flip(1)))
    assert formulation.transposed.transposed == formulation


@pytest.mark.parametrize(("tilt", "operator"), [(-0.5, ROW), (0.0, SYM), (0.5, COL)])
@settings(max_examples=20)
@given(graph=graphs(weighted=None), formulation=tilted())
def test_with_one_tilt_it_is_one_matrix_of_the_table(
    tilt: float, operator: tuple[float, ...], graph: Graph, formulation: Formulation
) -> None:
    depth = formulation.depth
    plain = replace(formulation, operators=(operator,) * depth, tilts=())
    near(dense_tilted(graph, replace(formulation, tilts=(tilt,) * depth)), dense_h(graph, plain))


@settings(max_examples=20)
@given(formulation=tilted(), name=st.text(max_size=5), data=st.data())
def test_the_round_trip_through_toml_is_the_identity(formulation: Formulation, name: str, data: st.DataObject) -> None:
    finite = st.floats(allow_nan=False, allow_infinity=False)
    depth = formulation.depth
    original = replace(formulation, name=name, tilts=tuple(data.draw(st.lists(finite, min_size=depth, max_size=depth))))
    with TemporaryDirectory() as folder:
        save_formulation(original, Path(folder) / "own.toml")
        assert load_formulation(Path(folder) / "own.toml") == original


def test_single_precision_is_kept() -> None:
    formulation = Formulation("h", (SYM, SYM), (0.5, 0.25, 0.25), tilts=(0.3, -0.1))
    z = formulation.apply(karate_club(), torch.eye(34))
    assert z.dtype == torch.float32
    near(z, dense_tilted(karate_club(), formulation), 1e-6)
    near(formulation.apply(karate_club(), torch.eye(34).bfloat16()), dense_tilted(karate_club(), formulation), 0.02)


@pytest.mark.parametrize(("operators", "tilts"), [((SYM, SYM), (0.1,)), ((SYM, ROW), (0.1, 0.2)), ((), (0.1,))])
def test_tilts_belong_to_symmetric_operators(
    operators: tuple[tuple[float, ...], ...], tilts: tuple[float, ...]
) -> None:
    with pytest.raises(SettingsError, match="formulation 'h': Tilts belong to symmetric operators, one to each"):
        Formulation("h", operators, (0.0,) * (len(operators) + 1), tilts=tilts)


def test_what_is_tilted_is_no_local_rule_and_not_called_symmetric() -> None:
    formulation = Formulation("h", (SYM, SYM), (0.0, 0.0, 1.0), tilts=(0.25, 0.25))
    assert as_local(formulation) is None
    assert as_local(replace(formulation, tilts=())) is not None
    assert not formulation.symmetric


def test_rankings_of_all_pairs_are_refused() -> None:
    from hlgnn.formulation.full_rows import rows

    formulation = Formulation("h", (SYM,), (0.0, 1.0), tilts=(0.25,))
    with pytest.raises(SettingsError, match="formulation 'h': Tilted operators are scored for lists of pairs only"):
        list(rows(formulation, star(3), torch.tensor([0])))


def test_too_little_memory_says_how_much_suffices() -> None:
    formulation = Formulation("h", (SYM,), (0.0, 1.0), tilts=(0.25,))
    with pytest.raises(SettingsError, match="memory: 10 bytes of memory are too little"):
        formulation.scores(star(3), torch.tensor([[0, 1]]), memory=10)


def test_no_pairs_have_no_scores() -> None:
    formulation = Formulation("h", (SYM,), (0.0, 1.0), tilts=(0.25,))
    assert formulation.scores(star(3), torch.zeros(0, 2, dtype=torch.int64)).shape == (0,)


@pytest.mark.parametrize(
    ("chosen", "expected"),
    [
        ({}, "H = 0.5 I + 0.3 A_1 + 0.2 A_1 A_2 with A_l = D̃^-(1-s_l) Ã D̃^-s_l, s = (0.6, 0)"),
        ({"order": "recurrence"}, "H = 0.5 I + 0.3 A_1 + 0.2 A_2 A_1 with A_l = D̃^-(1-s_l) Ã D̃^-s_l, s = (0.6, 0)"),
        ({"self_loops": False}, "H = 0.5 I + 0.3 A_1 + 0.2 A_1 A_2 with A_l = D^-(1-s_l) A D^-s_l, s = (0.6, 0)"),
        (
            {"degree_scale": True},
            "H = (d̃_i / 2M) (0.5 I + 0.3 A_1 + 0.2 A_1 A_2) with A_l = D̃^-(1-s_l) Ã D̃^-s_l, s = (0.6, 0)",
        ),
    ],
)
def test_the_formula_says_all_that_matters(chosen: dict[str, object], expected: str) -> None:
    formulation = Formulation("h", (SYM, SYM), (0.5, 0.3, 0.2), tilts=(0.1, -0.5))
    assert replace(formulation, **chosen).formula() == expected


def test_the_formula_in_latex() -> None:
    formulation = Formulation("h", (SYM,), (0.5, -0.3), tilts=(0.25,), self_loops=False)
    assert formulation.formula("latex") == (
        r"\boldsymbol{H} = 0.5\,\boldsymbol{I} - 0.3\,\boldsymbol{A}_{1},\quad \boldsymbol{A}_l = "
        r"\boldsymbol{D}^{-(1-s_l)} \boldsymbol{A} \boldsymbol{D}^{-s_l},\; s = (0.75)"
    )


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("tilts = 0.5", ", tilts", "A list of 1 tilts is needed"),
        ("tilts = []", ", tilts", "A list of 1 tilts is needed"),
        ("tilts = [0.1, 0.2]", ", tilts", "A list of 1 tilts is needed"),
        ('tilts = ["x"]', ", tilts[0]", "'x' is no finite number"),
        ("tilts = [inf]", ", tilts[0]", "inf is no finite number"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_key(tmp_path: Path, text: str, where: str, message: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(f'betas = [0, 1]\nrepeat = "sym"\n{text}')
    with pytest.raises(SettingsError, match=r"tilts|number") as caught:
        load_formulation(path)
    assert caught.value.where == f"{path}{where}"
    assert message in str(caught.value)


def test_what_cannot_be_read_back_is_not_written(tmp_path: Path) -> None:
    formulation = Formulation("h", (SYM,), (0.0, 1.0), tilts=(float("nan"),))
    with pytest.raises(SettingsError, match="no number"):
        save_formulation(formulation, tmp_path / "own.toml")
