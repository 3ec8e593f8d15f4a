"""The transformer is a well-behaved part of scikit-learn."""

import numpy as np
import pytest
import torch
from sklearn.base import clone
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from hlgnn.data import PROTOCOLS, load_embedded_cora, make_split
from hlgnn.errors import GraphFormatError, SettingsError, UnknownNameError
from hlgnn.estimators import HeuristicFeatures
from hlgnn.formulation import parse
from hlgnn.graph import Graph, NodeIds, cycle, karate_club


def test_columns_are_the_scores_of_each_heuristic() -> None:
    graph = karate_club()
    pairs = torch.cartesian_prod(torch.arange(34), torch.arange(34))
    table = HeuristicFeatures(graph, heuristics=("cn", "katz:gamma=0.01,order=4", "aa")).fit_transform(pairs.numpy())
    for column, name in enumerate(("cn", "katz:gamma=0.01,order=4", "aa")):
        assert np.allclose(table[:, column], parse(name, self_loops=True).scores(graph, pairs).numpy())


def test_pairs_are_given_by_ids() -> None:
    ids = NodeIds.from_labels([f"person {letter}" for letter in "abcdef"])
    graph = Graph.from_edges(6, cycle(6).links, node_ids=ids)
    features = HeuristicFeatures(graph, heuristics=("cn",), self_loops=False).fit([["person a", "person c"]])
    assert features.transform([["person a", "person c"], ["person a", "person d"]]).tolist() == [[1.0], [0.0]]
    with pytest.raises(GraphFormatError, match="person z"):
        features.transform([["person a", "person z"]])


def test_it_works_in_a_pipeline_a_clone_and_a_search() -> None:
    dataset = load_embedded_cora()
    split = make_split(dataset, PROTOCOLS["paper"], 0)
    ids = np.asarray(dataset.graph.node_ids.to_arrow())
    pairs = ids[torch.cat([split.valid.positive, split.valid.negative]).numpy()]
    labels = np.r_[np.ones(len(split.valid.positive)), np.zeros(len(split.valid.negative))]
    model = make_pipeline(HeuristicFeatures(split.graph, heuristics=("ra",)), LogisticRegression())
    grid = {"heuristicfeatures__heuristics": [("pa",), ("ra", "lpi")]}
    search = GridSearchCV(model, grid, cv=3, scoring="roc_auc", error_score="raise").fit(pairs, labels)
    assert search.best_params_["heuristicfeatures__heuristics"] == ("ra", "lpi")
    assert search.best_score_ > 0.7
    copy = clone(model)
    assert copy.get_params()["heuristicfeatures__heuristics"] == ("ra",)
    assert copy.fit(pairs, labels).predict_proba(pairs).shape == (len(pairs), 2)


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(SettingsError, match="no graph"):
        HeuristicFeatures().fit([[0, 1]])
    with pytest.raises(UnknownNameError, match="Did you mean"):
        HeuristicFeatures(karate_club(), heuristics=("jacard",)).fit([[0, 1]])
    with pytest.raises(SettingsError, match="shape"):
        HeuristicFeatures(karate_club()).fit(None).transform([[0, 1, 2]])
