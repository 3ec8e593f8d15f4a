"""No link is predicted from a message graph that contains it, if links are hidden."""

from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor

from hlgnn.data import LinkSet, Split
from hlgnn.graph import Graph
from hlgnn.models import LinkModel
from hlgnn.training.hidden_targets import HiddenTargets
from hlgnn.training.train_settings import TrainSettings
from strategies import graphs


class Recorder(LinkModel[Graph, Graph]):
    """What it prepares is the message graph itself."""

    def __init__(self) -> None:
        super().__init__()
        self.prepared: list[Graph] = []

    def prepare(self, graph: Graph) -> Graph:
        self.prepared.append(graph)
        return graph

    def encode(self, prepared: Graph) -> Graph:
        return prepared

    def score(self, state: Graph, pairs: Tensor) -> Tensor:
        return state.has_links(pairs).float()


def split_of(graph: Graph, train: Tensor) -> Split:
    none = LinkSet(graph.links[:0], graph.links[:0])
    return Split("own", 0, graph, graph, train, torch.ones(len(train)), none, none)


def generator(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def targets(split: Split, seed: int, **chosen: Any) -> tuple[HiddenTargets, Recorder]:
    model = Recorder()
    return HiddenTargets(model, split, TrainSettings(**chosen), generator(seed)), model


@settings(max_examples=40)
@given(
    graph=graphs(min_nodes=3, weighted=None),
    folds=st.integers(2, 6),
    seed=st.integers(0, 999),
    repeats=st.integers(0, 3),
)
def test_under_folds_every_link_is_predicted_once_and_never_seen(
    graph: Graph, folds: int, seed: int, repeats: int
) -> None:
    """Also if some training links are given twice, the second time the other way round."""
    assume(graph.num_links > 0)
    train = torch.cat([graph.links, graph.links[:repeats].flip(1)])
    hidden, model = targets(split_of(graph, train), seed, hide="folds", folds=folds)
    for _ in range(2):
        seen = []
        for _, messages, links in hidden.epoch(generator(seed)):
            assert not messages.has_links(train[links]).any()
            gone = {frozenset(pair) for pair in train[links].tolist()}
            assert messages.num_links == graph.num_links - len(gone)  # and all others are there
            seen.append(links)
        assert torch.equal(torch.cat(seen).sort().values, torch.arange(len(train)))
        assert len(seen) == min(folds, len(train))
        assert max(map(len, seen)) - min(map(len, seen)) <= 1
    assert len(model.prepared) == 1 + min(folds, len(train))  # once for each fold, and the whole


@settings(max_examples=40)
@given(graph=graphs(min_nodes=3), folds=st.integers(2, 9), used=st.integers(1, 9), seed=st.integers(0, 999))
def test_of_some_folds_the_links_are_those_that_all_of_them_would_have_there(
    graph: Graph, folds: int, used: int, seed: int
) -> None:
    assume(used <= folds)
    split = split_of(graph, graph.links)
    every, _ = targets(split, seed, hide="folds", folds=folds)
    some, model = targets(split, seed, hide="folds", folds=folds, used_folds=used)
    assert len(some.fixed) == min(used, graph.num_links)
    assert len(model.prepared) == 1 + len(some.fixed)
    for (_, _, learned), (_, messages, links) in zip(every.fixed, some.fixed, strict=False):
        assert torch.equal(learned, links)
        assert not messages.has_links(graph.links[links]).any()


def test_no_more_folds_are_used_than_there_are() -> None:
    with pytest.raises(ValueError, match="used_folds is 6, and there are 5 folds"):
        TrainSettings(folds=5, used_folds=6)


@settings(max_examples=40)
@given(graph=graphs(min_nodes=3), share=st.floats(0.01, 0.99), seed=st.integers(0, 999))
def test_of_a_fraction_only_the_hidden_links_are_predicted(graph: Graph, share: float, seed: int) -> None:
    assume(graph.num_links > 0)
    hidden, _ = targets(split_of(graph, graph.links), seed, hide="fraction", hide_share=share)
    [(prepared, messages, links)] = list(hidden.epoch(generator(seed)))
    assert prepared is messages  # this model prepares nothing
    assert len(links) == max(1, round(share * graph.num_links)) == len(links.unique())
    assert not messages.has_links(graph.links[links]).any()
    assert messages.num_links == graph.num_links - len(links)


def test_a_fraction_is_drawn_anew_in_every_epoch() -> None:
    graph = Graph.from_edges(40, torch.combinations(torch.arange(40)))
    hidden, _ = targets(split_of(graph, graph.links), 0, hide="fraction", hide_share=0.1)
    source = generator(0)
    [(_, _, first)], [(_, _, second)] = list(hidden.epoch(source)), list(hidden.epoch(source))
    assert set(first.tolist()) != set(second.tolist())
    [(_, _, again)] = list(hidden.epoch(generator(0)))
    assert torch.equal(first, again)


def test_folds_stay_and_their_order_is_drawn() -> None:
    graph = Graph.from_edges(20, torch.combinations(torch.arange(20)))
    hidden, _ = targets(split_of(graph, graph.links), 3, hide="folds", folds=5)
    same, _ = targets(split_of(graph, graph.links), 3, hide="folds", folds=5)
    other, _ = targets(split_of(graph, graph.links), 4, hide="folds", folds=5)
    assert all(torch.equal(left, right) for (_, _, left), (_, _, right) in zip(hidden.fixed, same.fixed, strict=True))
    assert not torch.equal(hidden.fixed[0][2], other.fixed[0][2])
    orders = {tuple(int(links[0]) for _, _, links in hidden.epoch(generator(seed))) for seed in range(10)}
    assert len(orders) > 1


@pytest.mark.parametrize("hide", ["none", "folds", "fraction"])
def test_selection_sees_the_whole_message_graph(hide: str) -> None:
    graph = Graph.from_edges(9, torch.combinations(torch.arange(9)))
    hidden, _ = targets(split_of(graph, graph.links), 0, hide=hide)
    assert hidden.whole is graph
    if hide == "none":
        [(_, messages, links)] = list(hidden.epoch(generator(0)))
        assert messages is graph
        assert torch.equal(links, torch.arange(36))


def test_the_message_graph_keeps_its_weights() -> None:
    graph = Graph.from_edges(4, torch.tensor([[0, 1], [1, 2], [2, 3]]), weight=torch.tensor([2.0, 3.0, 4.0]))
    hidden, _ = targets(split_of(graph, graph.links), 0, hide="folds", folds=3)
    for _, messages, links in hidden.epoch(generator(0)):
        kept = [weight for row, weight in enumerate([2.0, 3.0, 4.0]) if row != int(links)]
        assert messages.link_weight is not None
        assert messages.link_weight.tolist() == kept


@settings(max_examples=40)
@given(graph=graphs(min_nodes=3, weighted=None), batch=st.integers(1, 9), seed=st.integers(0, 999))
def test_the_links_of_each_batch_are_hidden_from_it_alone(graph: Graph, batch: int, seed: int) -> None:
    assume(graph.num_links > 0)
    hidden, _ = targets(split_of(graph, graph.links), seed, hide="batch", batch_size=batch)
    seen = []
    for prepared, messages, links in hidden.epoch(generator(seed)):
        assert prepared is messages
        assert 1 <= len(links) <= batch
        assert not bool(messages.has_links(graph.links[links]).any())
        assert messages.num_links == graph.num_links - len(links)
        seen += links.tolist()
    assert sorted(seen) == list(range(graph.num_links))
