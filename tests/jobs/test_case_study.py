"""The case study: the stored one holds what it claims, and a small one repeats it."""

import json
from pathlib import Path

import numpy as np
import pytest
import torch

from hlgnn.data.synthetic import RING_NETWORKS
from hlgnn.graph import hexagons, triangles
from hlgnn.jobs.case_study import RECIPES, CaseRow, Recipe, WalkModel, WalkSettings, case_document, case_study
from hlgnn.settings import parse_settings

STORED = Path(__file__).parents[2] / "results/case_study.json"


def test_the_networks_are_those_of_decision_0007() -> None:
    assert list(RING_NETWORKS) == ["triangular", "hexagonal"]
    assert [RING_NETWORKS[name].order for name in RING_NETWORKS] == [2, 5]
    sizes = [RING_NETWORKS[name].dataset().graph for name in RING_NETWORKS]
    assert [(graph.num_nodes, graph.num_links) for graph in sizes] == [(1000, 999), (1000, 996)]


@pytest.mark.parametrize("signs", ["positive", "free"])
def test_the_score_of_walks_is_the_heuristic_itself(signs: str) -> None:
    model, graph = WalkModel(WalkSettings(signs=signs)), hexagons(20).without_links(torch.tensor([[0, 5]]))
    with torch.no_grad():
        model.change.normal_(generator=torch.Generator().manual_seed(0))
        model.shift.fill_(0.25)
        pairs = torch.cartesian_prod(torch.arange(20), torch.arange(20))
        found = model.score(model.encode(model.prepare(graph)), pairs)
    torch.testing.assert_close(found.double(), model.formulation().scores(graph, pairs) + 0.25, rtol=1e-4, atol=1e-5)


def test_walks_start_as_the_katz_index() -> None:
    for signs in ("positive", "free"):
        beta = WalkModel(WalkSettings(depth=3, gamma=0.5, signs=signs)).beta
        torch.testing.assert_close(beta.detach(), torch.tensor([1.0, 0.5, 0.25, 0.125]))


def test_orders_below_the_distance_say_nothing_about_the_missing_link() -> None:
    model = WalkModel(WalkSettings())
    for graph, order in ((triangles(3), 2), (hexagons(6), 5)):
        powers = model.prepare(graph.without_links(torch.tensor([[0, order]])))
        reached = [power[0, order] > 0 for power in powers]
        assert reached == [False] * order + [True] * (21 - order)


def test_a_small_study_finds_the_order_of_each_network_and_repeats_itself() -> None:
    quick = RECIPES["walks"].model_copy(
        update={"train": RECIPES["walks"].train.model_copy(update={"epochs": 4, "evaluate_every": 4})}
    )
    rows = case_study([5], quick, num_nodes=300)
    assert [(row.network, row.largest) for row in rows] == [("triangular", 2), ("hexagonal", 5)]
    again = case_study([5], quick, networks=["hexagonal"], num_nodes=300)
    assert again == rows[1:]


def test_the_document_counts_the_seeds_that_agree() -> None:
    rows = [
        CaseRow("triangular", 2, seed, betas, 0.9) for seed, betas in enumerate([(0.1, 0.2, -0.3), (0.4, 0.2, 0.3)])
    ]
    document = case_document([0, 1], {"walks": rows})
    found = document["recipes"]["walks"]["networks"]["triangular"]
    assert (found["expected_order"], found["seeds_with_expected_order"]) == (2, 1)
    assert [row["largest"] for row in found["rows"]] == [2, 0]


def test_the_stored_study_has_the_expected_order_for_nine_of_ten_seeds() -> None:
    document = json.loads(STORED.read_text())
    walks = document["recipes"]["walks"]["networks"]
    for name, order in (("triangular", 2), ("hexagonal", 5)):
        rows = walks[name]["rows"]
        largest = [int(np.argmax(np.abs(row["betas"]))) for row in rows]
        assert len(rows) >= 10
        assert largest.count(order) >= 0.9 * len(rows)
        assert walks[name]["seeds_with_expected_order"] == largest.count(order)


@pytest.mark.parametrize("name", list(RECIPES))
def test_the_stored_study_holds_what_is_needed_to_repeat_it(name: str) -> None:
    document = json.loads(STORED.read_text())
    assert (document["protocol"], document["num_nodes"], document["seeds"]) == ("paper", 1000, list(range(10)))
    assert {"torch", "numpy", "hlgnn", "python"} <= set(document["versions"])
    stored = document["recipes"][name]
    assert parse_settings(Recipe, stored["settings"]) == RECIPES[name]
    for network in stored["networks"].values():
        assert [row["seed"] for row in network["rows"]] == document["seeds"]
        assert all(len(row["betas"]) == 21 and 0 <= row["auc"] <= 1 for row in network["rows"])
        assert [row["largest"] for row in network["rows"]] == [
            int(np.argmax(np.abs(row["betas"]))) for row in network["rows"]
        ]
