"""The explanation of a link as a whole: it fits the model, it is symmetric, and it can be written down."""

import json
from typing import Any

import pytest
import torch

from hlgnn.errors import SettingsError
from hlgnn.graph import Graph
from hlgnn.interpret.explain_link import LinkExplanation, explain_link
from hlgnn.interpret.link_encoder import link_encoder
from hlgnn.models import HLGNN
from toy_links import BOTH, EMBEDDING, FEATURES, FIRST, HEADS, SECOND, club, drawn_model, frozen_model, model_logit

INPUTS = {"features": FEATURES, "embedding": EMBEDDING, "both": BOTH}


def explained(model: HLGNN, first: int = FIRST, second: int = SECOND, *, witnesses: int = 10) -> LinkExplanation:
    return explain_link(model, club(), first, second, changes=4, witnesses=witnesses)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("chosen", INPUTS)
def test_the_logit_is_that_of_the_model(chosen: str, head: str) -> None:
    model = drawn_model(club(), input=INPUTS[chosen], head=HEADS[head])
    assert explained(model).logit == pytest.approx(model_logit(model, club()), rel=1e-4, abs=1e-4)


def test_links_that_share_an_encoder_are_explained_as_alone() -> None:
    head = {"hidden": 8, "crowding": (0, 1), "similar": (0, 1), "metric": (0,), "across": (0,), "regression": (1.0,)}
    model = drawn_model(club(), input=FEATURES, propagation={"depth": 2}, head={"kind": "residual", **head})
    shared = link_encoder(model, club())
    for first, second in ((0, 9), (14, 15), (3, 30)):
        alone = explain_link(model, club(), first, second, changes=2)
        assert explain_link(model, club(), first, second, changes=2, encoder=shared).to_dict() == alone.to_dict()


@pytest.mark.parametrize("operators", ["sym", "row", "col"])
@pytest.mark.parametrize(("kind", "across"), [("mlp", (2, 0)), ("residual", (1, 2))])
def test_numbers_of_the_pair_are_those_that_the_model_reads(kind: str, across: tuple[int, ...], operators: str) -> None:
    chosen = {
        "kind": kind,
        "hidden": 8,
        "pair_features": True,
        "order_matrix": (0, 2, 5),
        "crowding": (0, 3),
        "similar": (0, 2),
        "walks": 5,
        "metric": (0, 1),
        "across": across,
        "profile": 2,
        "regression": (0.5, 2.0),
    }
    model = drawn_model(club(), input=FEATURES, propagation={"depth": 3, "operators": operators}, head=chosen)
    found, view = explained(model), model.prepare(club()).view
    assert view is not None
    expected = view.numbers(torch.tensor([[FIRST, SECOND]]))[0]
    torch.testing.assert_close(
        torch.tensor([each.value for each in found.head.numbers]), expected, rtol=1e-4, atol=1e-5
    )
    assert found.logit == pytest.approx(model_logit(model, club()), rel=1e-4, abs=1e-4)
    assert len({each.name for each in found.head.numbers}) == 7 + 6 + 8 + 3 + 6 + 3 + 12 + 8 + 2


def test_a_head_of_one_layer_is_pushed_exactly() -> None:
    # Without hidden layers the head is linear in z_i ⊙ z_j and in the numbers, and first order is all there is.
    chosen = {"kind": "mlp", "layers": 1, "pair_features": True}
    model = drawn_model(club(), input=FEATURES, head=chosen)
    found = explained(model)
    bias = float(dict(model.head.named_parameters())["layers.0.bias"].detach())
    pushed = sum(found.head.orders) + sum(each.effect for each in found.head.numbers)
    assert pushed + bias == pytest.approx(found.logit, rel=1e-9)


def test_a_residual_head_without_correction_is_pushed_by_its_cosine() -> None:
    model = drawn_model(club(), input=FEATURES, head={"kind": "residual", "hidden": 8})
    weights = dict(model.head.named_parameters())
    with torch.no_grad():
        weights["correction.layers.1.weight"].zero_()
        weights["correction.layers.1.bias"].zero_()
    found, scale = explained(model), float(weights["scale"].detach())
    assert found.head.orders == pytest.approx([scale * each for each in found.orders.contributions])


@pytest.mark.parametrize("head", HEADS)
def test_it_does_not_matter_which_end_comes_first(head: str) -> None:
    propagation = {"depth": 3, "operators": "mixture", "order": "reading"}
    model = drawn_model(club(), input=BOTH, propagation=propagation, head=HEADS[head])
    one, two = explained(model), explained(model, SECOND, FIRST)
    assert one.logit == pytest.approx(two.logit, rel=1e-9)
    assert one.orders.contributions == pytest.approx(two.orders.contributions, rel=1e-9, abs=1e-12)
    assert [each.node for each in one.witnesses] == [each.node for each in two.witnesses]
    assert [each.nodes for each in one.paths] == [each.nodes[::-1] for each in two.paths]
    assert [each.column for each in one.features.columns] == [each.column for each in two.features.columns]
    assert [(each.first, each.second) for each in one.changes] == [(each.first, each.second) for each in two.changes]


def test_it_is_written_as_json_and_in_words() -> None:
    model = drawn_model(club(), input=BOTH, head=HEADS["mlp"])
    found = explained(model)
    document = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert document["orders"]["contributions"] == list(found.orders.contributions)
    assert document["paths"][0]["nodes"] == list(found.paths[0].nodes)
    text = found.text(club().node_ids, [f"word {column}" for column in range(7)])
    for part in ("not linked", "order ", "Numbers of the pair", "Strongest paths", "word ", "Known links", "Notes"):
        assert part in text
    assert "column " in found.text(club().node_ids)


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("nodes", [(0, 2), (2, 3)], ids=["one", "both"])
def test_isolated_nodes(head: str, nodes: tuple[int, int]) -> None:
    features = torch.tensor([[1.0, 2.0, 0.0], [0.0, 1.0, 1.0], [3.0, 0.0, 1.0], [0.0, 0.0, 0.0]])
    graph = Graph.from_edges(4, torch.tensor([[0, 1]]), features=features)
    for hidden in (0, 4):
        model = drawn_model(graph, input={"source": "features", "hidden": hidden}, head=HEADS[head])
        found = explain_link(model, graph, *nodes)
        assert found.logit == pytest.approx(model_logit(model, graph, *nodes), rel=1e-4, abs=1e-4)
        assert sum(found.orders.contributions) == pytest.approx(found.score, abs=1e-9)
        assert found.paths == ()
        assert found.text(graph.node_ids)
        json.dumps(found.to_dict(), allow_nan=False)


def test_a_model_is_left_as_it_was() -> None:
    model = drawn_model(club(), input={**FEATURES, "dropout": 0.5}, head={**HEADS["mlp"], "dropout": 0.5}).train()
    state, noise = {name: value.clone() for name, value in model.state_dict().items()}, model.noise.get_state()
    with torch.no_grad():
        found = explained(model)
    assert all(module.training for module in model.modules())
    assert all(torch.equal(value, state[name]) for name, value in model.state_dict().items())
    assert torch.equal(noise, model.noise.get_state())
    assert all(parameter.grad is None for parameter in model.parameters())
    assert found.logit == pytest.approx(model_logit(model.eval(), club()), rel=1e-4)


def test_a_frozen_encoder_is_explained() -> None:
    chosen = {"source": "features", "hidden": 0, "svd": 3}
    model = frozen_model(
        club(), formulation="rwr:order=6", input=chosen, centre=True, head={"kind": "mlp", "hidden": 8}
    )
    found = explain_link(model, club(), FIRST, SECOND, changes=2)
    assert found.logit == pytest.approx(model_logit(model, club()), rel=1e-4)
    assert len(found.orders.betas) == 7


@pytest.mark.parametrize(("pair", "words"), [((3, 3), "itself"), ((3, 34), "no node 34"), ((-1, 3), "no node -1")])
def test_pairs_that_are_none_are_refused(pair: tuple[int, int], words: str) -> None:
    with pytest.raises(SettingsError, match=words):
        explained(drawn_model(club(), input=FEATURES), *pair)


def test_negative_counts_are_refused() -> None:
    with pytest.raises(SettingsError, match="witnesses"):
        explained(drawn_model(club(), input=FEATURES), witnesses=-1)


@pytest.mark.parametrize("chosen", [{"transformation": True}, {"activation": "relu"}])
def test_layers_that_are_not_linear_are_refused(chosen: dict[str, Any]) -> None:
    with pytest.raises(SettingsError, match="Orders cannot be separated"):
        explained(drawn_model(club(), input=FEATURES, propagation={"depth": 2, **chosen}))


def test_graphs_that_do_not_fit_are_refused() -> None:
    model = drawn_model(club(), input=FEATURES)
    with pytest.raises(SettingsError, match="features"):
        explain_link(model, club().without_features(), FIRST, SECOND)
