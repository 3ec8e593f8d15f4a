"""All nodes together carry the score before the head, and all columns together what features say of it."""

from typing import Any

import pytest
import torch

from hlgnn.formulation import SYM, Formulation
from hlgnn.graph import Graph, path, star
from hlgnn.interpret.link_encoder import link_encoder, link_ends
from hlgnn.interpret.link_features import link_features
from hlgnn.interpret.link_witnesses import link_witnesses, witness_halves
from toy_links import BOTH, EMBEDDING, FEATURES, FIRST, HEADS, SECOND, club, drawn_model, frozen_model

INPUTS = {
    "features": FEATURES,
    "reduced": {**FEATURES, "svd": 3, "centre": True, "normalize": True},
    "narrow": {**FEATURES, "hidden": 16, "tf_idf": True},
    "raw": {"source": "features", "hidden": 0},
    "embedding": EMBEDDING,
    "both": BOTH,
}


@pytest.mark.parametrize("head", HEADS)
@pytest.mark.parametrize("chosen", INPUTS)
@pytest.mark.parametrize("centre", [False, True])
def test_they_add_up(chosen: str, head: str, centre: bool) -> None:
    propagation = {"depth": 3, "operators": "geometric", "centre": centre}
    model = drawn_model(club(), input=INPUTS[chosen], propagation=propagation, head=HEADS[head])
    encoder = link_encoder(model, club())
    ends = link_ends(encoder, FIRST, SECOND)
    halves = witness_halves(encoder, ends)
    size = float(halves.abs().sum())
    assert halves.sum(dim=0).tolist() == pytest.approx([ends.score / 2] * 2, abs=1e-9 * size)
    features = link_features(encoder, ends, 100)
    assert features.contribution + features.rest == pytest.approx(ends.score, abs=1e-9 * size)
    columns = features.columns
    assert sum(each.contribution for each in columns) == pytest.approx(features.contribution, abs=1e-9 * size)
    assert sum(each.agreement for each in columns) == pytest.approx(features.agreement, abs=1e-9)
    witnesses = link_witnesses(encoder, ends, 100)
    assert sum(each.contribution for each in witnesses) == pytest.approx(ends.score, abs=1e-9 * size)
    assert sum(abs(each.share) for each in witnesses) == pytest.approx(1.0)


def test_raw_columns_without_a_layer_are_the_score_itself() -> None:
    model = drawn_model(club(), input=INPUTS["raw"], head=HEADS["cosine"])
    encoder = link_encoder(model, club())
    ends = link_ends(encoder, FIRST, SECOND)
    features = link_features(encoder, ends, 7)
    assert features.agreement == pytest.approx(ends.score, rel=1e-9)
    assert features.rest == 0.0
    for column in features.columns:
        assert column.agreement == pytest.approx(column.contribution, rel=1e-9)


def test_embeddings_have_no_columns_and_say_so() -> None:
    encoder = link_encoder(drawn_model(club(), input=EMBEDDING, head=HEADS["dot"]), club())
    features = link_features(encoder, link_ends(encoder, FIRST, SECOND), 5)
    assert features.columns == ()
    assert "no features" in features.note


def test_sparse_features_give_what_dense_ones_give() -> None:
    from scipy.sparse import csr_array

    dense = club()
    assert isinstance(dense.features, torch.Tensor)
    sparse = Graph(dense.adjacency, dense.node_ids, csr_array(dense.features.numpy()))
    found = []
    for graph in (dense, sparse):
        encoder = link_encoder(drawn_model(graph, input=FEATURES, head=HEADS["dot"]), graph)
        found.append(link_features(encoder, link_ends(encoder, FIRST, SECOND), 5))
    assert found[0].contribution == pytest.approx(found[1].contribution, rel=1e-9)
    for one, two in zip(found[0].columns, found[1].columns, strict=True):
        assert one.column == two.column
        assert one.agreement == pytest.approx(two.agreement, rel=1e-9)
        assert one.contribution == pytest.approx(two.contribution, rel=1e-9)


def test_the_middle_of_a_path_is_the_only_witness_of_its_ends() -> None:
    # With H = A_sym alone and unlike features, only what both ends see is shared.
    graph = Graph.from_edges(3, path(3).links, features=torch.eye(3))
    settings: dict[str, Any] = {"input": {"source": "features", "hidden": 0}, "head": {"kind": "dot"}}
    model = frozen_model(graph, formulation="rwr:order=1", **settings)
    model.formulation = Formulation("step", (SYM,), (0.0, 1.0))
    encoder = link_encoder(model, graph)
    (witness,) = link_witnesses(encoder, link_ends(encoder, 0, 2), 5)
    assert (witness.node, witness.share) == (1, 1.0)
    assert witness.contribution == pytest.approx(1 / 6)  # (1 / √(2 · 3))²


def test_the_ends_of_a_star_share_its_centre() -> None:
    graph = Graph.from_edges(5, star(4).links, features=torch.eye(5))
    model = frozen_model(
        graph, formulation="rwr:order=2", input={"source": "features", "hidden": 0}, head={"kind": "dot"}
    )
    encoder = link_encoder(model, graph)
    witnesses = link_witnesses(encoder, link_ends(encoder, 1, 2), 5)
    assert witnesses[0].node in {0, 1, 2}
    assert {each.node for each in witnesses[:3]} == {0, 1, 2}
