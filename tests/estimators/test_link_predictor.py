"""What a fitted predictor says follows from its model, its graph and its held-out links."""

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_score

from hlgnn.errors import GraphFormatError, SettingsError, UnknownNameError
from hlgnn.estimators.link_predictor import LinkPredictor
from hlgnn.formulation import parse
from hlgnn.jobs.study import methods
from hlgnn.training.evaluate import score_pairs

Array = np.ndarray[Any, Any]


@pytest.fixture(scope="module")
def labelled(edges: Array) -> tuple[Array, Array]:
    """Every link, and as many pairs that are none."""
    generator = np.random.default_rng(0)
    known = {tuple(edge) for edge in edges.tolist()}
    others = [(i, j) for i in range(66) for j in range(i + 1, 66) if (i, j) not in known]
    chosen = generator.choice(len(others), len(edges), replace=False)
    return np.r_[edges, np.array(others)[chosen]], np.r_[np.ones(len(edges), int), np.zeros(len(edges), int)]


def every_pair(predictor: LinkPredictor) -> torch.Tensor:
    """All pairs of nodes that are no links, by position."""
    graph = predictor.graph_
    pairs = torch.combinations(torch.arange(graph.num_nodes), 2)
    return pairs[~graph.has_links(pairs)]


def test_scores_are_those_of_the_model_on_the_whole_graph(fitted: LinkPredictor) -> None:
    pairs = every_pair(fitted)
    expected = score_pairs(fitted.model_, fitted.model_.prepare(fitted.graph_), pairs)
    assert np.allclose(fitted.decision_function(pairs.numpy()), expected.numpy())


def test_scores_do_not_depend_on_the_other_pairs_nor_on_the_direction(fitted: LinkPredictor) -> None:
    pairs = every_pair(fitted)[:50].numpy()
    scores = fitted.decision_function(pairs)
    assert np.allclose(fitted.decision_function(pairs[::-1])[::-1], scores)
    assert np.allclose(fitted.decision_function(pairs[:, ::-1]), scores)
    assert np.allclose([fitted.decision_function(pair[None])[0] for pair in pairs[:5]], scores[:5])
    assert fitted.decision_function(np.empty((0, 2), int)).shape == (0,)


def test_chances_are_probabilities_that_grow_with_the_score(fitted: LinkPredictor) -> None:
    pairs = every_pair(fitted).numpy()
    order = np.argsort(fitted.decision_function(pairs))
    chances = fitted.predict_proba(pairs)
    assert chances.shape == (len(pairs), 2)
    assert np.allclose(chances.sum(axis=1), 1)
    assert ((chances >= 0) & (chances <= 1)).all()
    assert (np.diff(chances[order, 1]) >= 0).all()
    assert np.array_equal(fitted.predict(pairs), (chances[:, 1] >= 0.5).astype(int))


def test_the_score_is_the_area_under_the_curve(fitted: LinkPredictor, labelled: tuple[Array, Array]) -> None:
    pairs, labels = labelled
    assert fitted.score(pairs, labels) == pytest.approx(roc_auc_score(labels, fitted.decision_function(pairs)))
    for wrong in (labels[:-1], labels + 1, np.ones_like(labels)):
        with pytest.raises(SettingsError, match="y"):
            fitted.score(pairs, wrong)


def test_recommended_links_are_the_best_of_all_pairs(fitted: LinkPredictor) -> None:
    pairs = every_pair(fitted)
    scores = fitted.decision_function(pairs.numpy())
    best = np.argsort(-scores, kind="stable")[:15]
    found = fitted.recommend(15)
    assert list(found.columns) == ["source", "target", "score", "probability"]
    assert np.allclose(found["score"], scores[best])
    assert {frozenset(pair) for pair in found[["source", "target"]].to_numpy().tolist()} == {
        frozenset(pair) for pair in pairs[best].tolist()
    }
    assert np.allclose(found["probability"], fitted.predict_proba(found[["source", "target"]])[:, 1])
    assert "expect" in found.attrs["notes"][-1]


def test_recommended_links_of_a_node_are_the_best_of_its_pairs(fitted: LinkPredictor) -> None:
    pairs = every_pair(fitted)
    for node in (3, 40):
        mine = pairs[(pairs == node).any(dim=1)].numpy()
        found = fitted.recommend(4, node=node)
        assert found["source"].tolist() == [node] * 4
        assert np.allclose(found["score"], np.sort(fitted.decision_function(mine))[::-1][:4])
    both = fitted.recommend(4, nodes=[3, 40])
    assert both["source"].tolist() == [3] * 4 + [40] * 4


def test_filters_leave_out_what_they_say(fitted: LinkPredictor) -> None:
    plain = fitted.recommend(20)
    ends = ["source", "target"]
    without = fitted.recommend(17, exclude=plain[ends][:3])
    assert without[ends].to_numpy().tolist() == plain[ends][3:].to_numpy().tolist()
    least = float(plain["score"][9])
    assert len(fitted.recommend(100, minimum=least)) == 10
    kinds = {node: "even" if node % 2 == 0 else "odd" for node in range(66)}
    assert ((fitted.recommend(20, kinds=kinds)[ends].sum(axis=1) % 2) == 1).all()
    even = fitted.recommend(20, kinds=kinds, between=("even", "even"))
    assert (even[ends] % 2 == 0).all(axis=None)
    for wrong in ({"k": 0}, {"node": 1, "nodes": [2]}, {"bipartite": True}, {"between": ("a", "b")}):
        with pytest.raises(SettingsError):
            fitted.recommend(**wrong)


def test_without_pandas_recommended_links_are_plain(fitted: LinkPredictor, monkeypatch: pytest.MonkeyPatch) -> None:
    expected = fitted.recommend(2).to_dict("records")
    monkeypatch.setattr("importlib.util.find_spec", lambda _: None)
    assert fitted.recommend(2) == expected


def test_added_links_are_as_if_the_graph_had_them(edges: Array, fitted: LinkPredictor, quick: dict[str, Any]) -> None:
    predictor = LinkPredictor(settings=quick).fit(edges)
    new = fitted.recommend(6)[["source", "target"]].to_numpy().copy()
    before = {name: weight.clone() for name, weight in predictor.model_.state_dict().items()}
    assert predictor.add_links(new[:4]).add_links(new[3:]) is predictor
    grown = fitted.graph_.with_links(torch.cat([fitted.graph_.links, torch.from_numpy(new)]))
    assert torch.equal(predictor.graph_.links, grown.links)
    pairs = every_pair(predictor)
    expected = score_pairs(fitted.model_, fitted.model_.prepare(grown), pairs)
    assert np.allclose(predictor.decision_function(pairs.numpy()), expected.numpy())
    assert all(torch.equal(before[name], weight) for name, weight in predictor.model_.state_dict().items())
    listed = predictor.recommend(50)[["source", "target"]].to_numpy()
    assert not {frozenset(pair) for pair in listed.tolist()} & {frozenset(pair) for pair in new.tolist()}
    with pytest.raises(GraphFormatError, match="99"):
        predictor.add_links([[0, 99]])
    with pytest.raises(SettingsError, match="itself"):
        predictor.add_links([[5, 5]])


def test_the_explanation_speaks_of_the_score(fitted: LinkPredictor) -> None:
    score = float(fitted.decision_function([[0, 40]])[0])
    found = fitted.explain(0, 40, changes=2)
    assert found.document()["first"] == 0
    assert found.document()["second"] == 40
    assert f"{score:.3f}"[:-1] in found.text()


def test_attributes_tell_what_was_found(fitted: LinkPredictor, edges: Array) -> None:
    assert fitted.n_features_in_ == 2
    assert fitted.classes_.tolist() == [0, 1]
    assert set(fitted.result_) >= {"valid", "test"}
    assert 0 <= fitted.result_["test"]["auc"] <= 1
    assert fitted.used_ == "learned"
    assert fitted.findings_.summary.links == len(edges)
    assert len(fitted.split_.train) < len(edges)
    assert fitted.settings_.train.epochs == 2


@pytest.fixture
def few_samples(monkeypatch: pytest.MonkeyPatch) -> None:
    """Intervals from few samples of the test links, for speed."""
    draw = methods.bootstrap
    monkeypatch.setattr(methods, "bootstrap", lambda *given, **more: draw(*given, **(more | {"repeats": 10})))


@pytest.mark.usefixtures("few_samples")
def test_the_study_is_made_when_it_is_asked_for(edges: Array, quick: dict[str, Any], tmp_path: Path) -> None:
    predictor = LinkPredictor(settings=quick).fit(edges)
    gate = predictor.gate_
    assert gate is not None
    assert gate["best_heuristic"] in gate["sentence"]
    page = predictor.report(tmp_path / "report.html")
    assert page.read_text(encoding="utf-8").startswith("<!")
    assert predictor.study_["links"][0]["score"] == pytest.approx(predictor.recommend(1)["score"][0])
    chances = predictor.predict_proba(edges)
    predictor.save(tmp_path / "saved")
    assert np.array_equal(LinkPredictor.load(tmp_path / "saved").predict_proba(edges), chances)


@pytest.mark.usefixtures("few_samples")
def test_automatic_uses_what_the_study_recommends(edges: Array, quick: dict[str, Any]) -> None:
    predictor = LinkPredictor(settings=quick | {"train.epochs": 1, "train.learning_rate": 1e-9}, automatic=True)
    predictor.fit(edges)
    assert predictor.used_ == predictor.study_["recommended"] != "learned"
    heuristic = parse(predictor.used_, self_loops=False)
    expected = heuristic.scores(predictor.graph_, torch.from_numpy(edges.copy()))
    assert np.allclose(predictor.decision_function(edges), expected.numpy())
    with pytest.raises(SettingsError, match="its own explanation"):
        predictor.explain(0, 40)


def test_pairs_with_labels_are_the_graph_of_those_with_a_one(
    fitted: LinkPredictor, labelled: tuple[Array, Array], quick: dict[str, Any]
) -> None:
    pairs, labels = labelled
    order = np.random.default_rng(1).permutation(len(pairs))
    predictor = LinkPredictor(settings=quick).fit(pairs[order], labels[order])
    assert torch.equal(predictor.graph_.links, fitted.graph_.links)
    assert np.array_equal(predictor.decision_function(pairs), fitted.decision_function(pairs))


def test_a_search_over_settings_is_that_of_scikit_learn(labelled: tuple[Array, Array], quick: dict[str, Any]) -> None:
    pairs, labels = labelled
    grid = {"settings": [quick | {"model.propagation.depth": depth} for depth in (0, 2)]}
    search = GridSearchCV(LinkPredictor(), grid, cv=2, error_score="raise").fit(pairs, labels, nodes=np.arange(66))
    best = clone(LinkPredictor(settings=search.best_params_["settings"])).fit(pairs, labels, nodes=np.arange(66))
    assert np.array_equal(search.decision_function(pairs), best.decision_function(pairs))
    depth = LinkPredictor(settings=grid["settings"][0])
    scores = cross_val_score(depth, pairs, labels, cv=2, scoring="roc_auc", params={"nodes": np.arange(66)})
    assert scores.mean() == pytest.approx(search.cv_results_["mean_test_score"][0])


def test_fitting_again_gives_the_same_and_another_seed_does_not(
    fitted: LinkPredictor, edges: Array, quick: dict[str, Any]
) -> None:
    again = clone(fitted)
    assert not hasattr(again, "graph_")
    assert np.array_equal(again.fit(edges).decision_function(edges), fitted.decision_function(edges))
    other = clone(fitted).set_params(seed=1).fit(edges)
    assert not np.array_equal(other.decision_function(edges), fitted.decision_function(edges))


def test_asking_changes_neither_parameters_nor_attributes(fitted: LinkPredictor) -> None:
    parameters, attributes = fitted.get_params(), dict(vars(fitted))
    fitted.predict([[0, 40]])
    fitted.recommend(2)
    assert fitted.get_params() == parameters
    assert all(vars(fitted)[name] is value for name, value in attributes.items())


def test_what_is_wrong_is_named(fitted: LinkPredictor, edges: Array) -> None:
    fresh = LinkPredictor()
    for ask in (fresh.predict, fresh.predict_proba, fresh.decision_function, fresh.add_links, fresh.save):
        with pytest.raises(NotFittedError):
            ask("anything")
    for ask in (fresh.recommend, lambda: fresh.explain(0, 1), lambda: fresh.score([[0, 1]], [1]), lambda: fresh.gate_):
        with pytest.raises(NotFittedError):
            ask()
    with pytest.raises(GraphFormatError, match="'nobody'"):
        fitted.predict([["nobody", "0"]])
    with pytest.raises(GraphFormatError, match="99"):
        fitted.recommend(node=99)
    for wrong in ([1, 2], [[1, 2, 3]], np.zeros((4, 3), int), "ab", 7):
        with pytest.raises(SettingsError, match="pair"):
            fitted.predict(wrong)
    with pytest.raises(SettingsError, match="epoch"):
        LinkPredictor(settings={"train.epoch": 1}).fit(edges)
    with pytest.raises(UnknownNameError, match="preset"):
        LinkPredictor(preset="best").fit(edges)
    with pytest.raises(SettingsError, match="memory"):
        LinkPredictor(memory="much").fit(edges)
    with pytest.raises(SettingsError, match="beta_rate"):
        LinkPredictor(settings={"train.beta_rate": None}).fit(edges)
    with pytest.raises(SettingsError, match="save"):
        copy.deepcopy(fitted)


def test_verbose_tells_what_is_found(edges: Array, quick: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    LinkPredictor(settings=quick | {"train.epochs": 1}, verbose=True).fit(edges)
    captured = capsys.readouterr()
    assert "66 nodes" in captured.err
    assert "Epoch 1" in captured.err
    LinkPredictor(settings=quick | {"train.epochs": 1}).fit(edges)
    assert capsys.readouterr().err == captured.out == ""
