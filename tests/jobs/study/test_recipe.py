"""Which recipe a graph gets: data sets get their own, whatever they are called."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
import torch
from scipy.sparse import csr_array

from hlgnn.graph import Graph, karate_club
from hlgnn.jobs.own_run import open_own
from hlgnn.jobs.presets import settings_for
from hlgnn.jobs.study import recipe
from hlgnn.jobs.study.recipe import FEW_LINKS, MOST_NODES, choose_recipe
from hlgnn.models import HLGNN

if TYPE_CHECKING:
    from pathlib import Path


def drawn(nodes: int, links: int, features: torch.Tensor | csr_array | None = None) -> Graph:
    ends = torch.randint(nodes, (4 * links, 2), generator=torch.Generator().manual_seed(0))
    ends = torch.unique(ends[ends[:, 0] < ends[:, 1]], dim=0)
    order = torch.randperm(len(ends), generator=torch.Generator().manual_seed(1))
    return Graph.from_edges(nodes, ends[order[:links]], features=features)


def words(nodes: int, width: int) -> csr_array:
    chosen = torch.rand(nodes, width, generator=torch.Generator().manual_seed(2)) < 0.05
    return csr_array(chosen.float().numpy())


def test_cora_without_its_name_gets_its_preset() -> None:
    chosen, preset = open_own("cora", as_own=True, automatic=True), settings_for("cora")
    assert (chosen.settings.model, chosen.settings.train) == (preset.model, preset.train)
    assert "most like" in chosen.findings.sentences[-1]


@pytest.mark.data
@pytest.mark.usefixtures("data_folder")
@pytest.mark.parametrize("name", ["citeseer", "pubmed", "photo", "computers", "ogbl-ddi"])
def test_every_data_set_gets_its_preset(name: str) -> None:
    chosen, preset = open_own(name, automatic=True).settings, settings_for(name)
    assert (chosen.model, chosen.train) == (preset.model, preset.train)
    assert chosen.protocol == preset.protocol


def test_what_the_caller_sets_wins(tmp_path: Path) -> None:
    changed = open_own("cora", automatic=True, changes=["model.head.walks=2"], protocol="ncn", seed=3).settings
    assert (changed.model.head.walks, changed.protocol, changed.seed) == (2, "ncn", 3)
    named = open_own("cora", automatic=True, preset="plain").settings
    assert named.model == settings_for("cora", preset="plain").model
    file = tmp_path / "own.csv"
    file.write_text("".join(f"{i},{(i * i + 1) % 97}\n" for i in range(97)))
    assert open_own(str(file), automatic=True).settings.model.input.source == "auto"  # too few links for a recipe


def test_too_few_links_and_too_many_nodes_have_none() -> None:
    features = torch.rand(300, 40)
    assert choose_recipe(drawn(300, FEW_LINKS - 1, features)) is None
    assert choose_recipe(drawn(300, FEW_LINKS, features)) is not None
    assert choose_recipe(drawn(MOST_NODES + 1, FEW_LINKS, words(MOST_NODES + 1, 40))) is None
    assert choose_recipe(drawn(300, FEW_LINKS)) is None  # no features, and no regression that knows enough
    assert choose_recipe(karate_club()) is None


@pytest.mark.parametrize(
    ("features", "expected"),
    [
        (words(300, 40), (True, False, 0)),
        (words(300, 600), (True, False, 256)),
        (csr_array(0.5 * words(300, 40)), (False, False, 0)),  # weighed already
        (torch.nn.functional.normalize(torch.randn(300, 600)), (False, False, 256)),  # vectors of a model
        (40 * torch.rand(300, 50) + 7, (False, True, 0)),  # measurements
    ],
)
def test_features_are_prepared_as_what_they_are(features: Any, expected: tuple[bool, bool, int]) -> None:
    found = choose_recipe(drawn(300, FEW_LINKS, features))
    assert found is not None
    tf_idf, standardize, width = expected
    assert found.changes == (
        f"model.input.tf_idf={str(tf_idf).lower()}",
        f"model.input.standardize={str(standardize).lower()}",
        f"model.input.svd={width}",
    )


def test_a_few_measurements_keep_their_perceptron() -> None:
    assert choose_recipe(drawn(300, FEW_LINKS, 40 * torch.rand(300, 4) + 7)) is None


@pytest.mark.parametrize(
    ("limits", "links", "features", "like"),
    [
        ({}, 1000, True, "cora"),
        ({"SMALL": 10}, 1000, True, "pubmed"),
        ({}, 2500, True, "photo"),
        ({"SMALL_REGRESSED": 10}, 2500, True, "computers"),
        ({"SMALL_REGRESSED": 10, "MOST_REGRESSED": 10}, 2500, True, "cora"),
        ({}, 2500, False, "ogbl-ddi"),
    ],
)
def test_every_recipe_builds_a_model(
    limits: dict[str, int],
    links: int,
    features: bool,
    like: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for name, value in limits.items():
        monkeypatch.setattr(recipe, name, value)
    graph = drawn(200, links, words(200, 40) if features else None)
    found = choose_recipe(graph)
    assert found is not None
    assert found.like == like
    settings = settings_for(found.like, changes=found.changes)
    model = HLGNN(graph, settings.model, torch.Generator().manual_seed(0))
    scores = model.score(model.encode(model.prepare(graph)), torch.tensor([[0, 1], [2, 33]]))
    assert scores.isfinite().all()
