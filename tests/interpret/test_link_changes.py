"""A change is the logit of a fresh graph without the link, and its estimate is the derivative."""

from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from hlgnn.graph import Graph, complete
from hlgnn.interpret.link_changes import candidates, link_changes, link_logit
from hlgnn.interpret.link_encoder import link_encoder, link_ends, without_link
from hlgnn.interpret.link_estimates import estimated_changes
from strategies import graphs
from toy_links import BOTH, EMBEDDING, FEATURES, FIRST, HEADS, SECOND, club, drawn_model, frozen_model, model_logit

CASES: dict[str, dict[str, Any]] = {
    "sym": {"input": FEATURES, "head": HEADS["mlp"]},
    "mixture": {"input": BOTH, "propagation": {"depth": 3, "operators": "mixture"}, "head": HEADS["residual"]},
    "geometric": {"input": EMBEDDING, "propagation": {"depth": 3, "operators": "geometric"}, "head": HEADS["diagonal"]},
    "row": {
        "input": FEATURES,
        "propagation": {"depth": 3, "operators": "row", "centre": True},
        "head": HEADS["cosine"],
    },
    "cosines": {
        "input": FEATURES,
        "propagation": {"depth": 2, "operators": "col"},
        "head": {"kind": "mlp", "hidden": 8, "order_matrix": (0, 1, 3), "crowding": (1,), "similar": (2,), "walks": 4},
    },
}


@pytest.mark.parametrize("case", CASES)
def test_a_change_is_the_score_of_a_fresh_graph(case: str) -> None:
    model = drawn_model(club(), **CASES[case])
    encoder = link_encoder(model, club())
    told: list[tuple[str, int, int]] = []
    changes = link_changes(
        encoder,
        link_ends(encoder, FIRST, SECOND),
        FIRST,
        SECOND,
        [0],
        count=6,
        progress=lambda what, done, total: told.append((what, done, total)),
    )
    before = model_logit(model, club())
    assert len(changes) == 6
    for change in changes:
        after = model_logit(model, club().without_links(torch.tensor([[change.first, change.second]])))
        assert change.before == pytest.approx(before, rel=1e-4, abs=1e-4)
        assert change.after == pytest.approx(after, rel=1e-4, abs=1e-4)
        assert change.difference == change.after - change.before
    sizes = [abs(change.difference) for change in changes]
    assert sizes == sorted(sizes, reverse=True)
    assert [done for _, done, _ in told] == list(range(7))


def test_a_frozen_encoder_changes_too() -> None:
    chosen = {"source": "features", "hidden": 0}
    model = frozen_model(club(), formulation="lrw:alpha=0.8,order=3", input=chosen, head=HEADS["dot"])
    encoder = link_encoder(model, club())
    (change,) = link_changes(encoder, link_ends(encoder, FIRST, SECOND), FIRST, SECOND, [], count=1)
    after = model_logit(model, club().without_links(torch.tensor([[change.first, change.second]])))
    assert change.after == pytest.approx(after, rel=1e-4)


@pytest.mark.parametrize("operators", ["sym", "row", "col", "geometric"])
@pytest.mark.parametrize("order", ["reading", "recurrence"])
@pytest.mark.parametrize("head", ["dot", "cosine", "mlp"])
def test_the_estimate_is_exact_for_weak_links(operators: str, order: str, head: str) -> None:
    strong, weak = club(), torch.tensor([[FIRST, 5], [SECOND, 20], [7, 20]])
    weight = torch.cat([torch.ones(strong.num_links), torch.full((3,), 1e-5)])
    graph = strong.with_links(torch.cat([strong.links, weak]), weight)
    propagation = {"depth": 4, "operators": operators, "order": order, "centre": True}
    chosen = {"kind": head, "hidden": 8}
    encoder = link_encoder(drawn_model(graph, input=FEATURES, propagation=propagation, head=chosen), graph)
    links = weak.sort(dim=1).values
    estimates = estimated_changes(encoder, link_ends(encoder, FIRST, SECOND), FIRST, SECOND, links)
    before = link_logit(encoder, FIRST, SECOND)
    exact = [link_logit(encoder.without(*link), FIRST, SECOND) - before for link in links.tolist()]
    assert estimates.tolist() == pytest.approx(exact, rel=1e-3, abs=1e-12)


@given(graphs(min_nodes=2), st.data())
def test_a_link_is_taken_out_of_a_graph(graph: Graph, data: st.DataObject) -> None:
    pair = data.draw(st.permutations(range(graph.num_nodes)))[:2]
    found, expected = without_link(graph, *pair), graph.without_links(torch.tensor([pair]))
    assert torch.equal(found.adjacency.offset, expected.adjacency.offset)
    assert torch.equal(found.adjacency.neighbor, expected.adjacency.neighbor)
    if found.adjacency.weight is not None and found.num_links:
        assert expected.adjacency.weight is not None
        assert torch.equal(found.adjacency.weight, expected.adjacency.weight)


def test_candidates_are_the_links_of_the_nodes() -> None:
    found = candidates(complete(5), {1, 3})
    assert found.tolist() == [[0, 1], [0, 3], [1, 2], [1, 3], [1, 4], [2, 3], [3, 4]]


def test_isolated_ends_have_no_links_to_lose() -> None:
    graph = Graph.from_edges(4, torch.tensor([[0, 1]]), features=torch.rand(4, 3))
    encoder = link_encoder(drawn_model(graph, input=FEATURES, head=HEADS["dot"]), graph)
    assert link_changes(encoder, link_ends(encoder, 2, 3), 2, 3, []) == ()
