"""A split partitions the links, and each protocol does what its name promises."""

from dataclasses import replace

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from hlgnn.data import PROTOCOLS, Dataset, LinkSet, OfficialSplit, Protocol, load_embedded_cora, make_split
from hlgnn.errors import SettingsError, SplitError, UnknownNameError
from hlgnn.graph import Graph, path
from strategies import graphs

SMALL = Protocol("small", "", valid=0.2, test=0.3)


def rows(*pairs: torch.Tensor) -> list[tuple[int, int]]:
    return sorted(tuple(pair) for pair in torch.cat(pairs).tolist())


def has_room(graph: Graph, links: int) -> bool:
    return graph.num_nodes * (graph.num_nodes - 1) // 2 - graph.num_links >= links


@given(graph=graphs(min_nodes=6, max_nodes=14, min_links=6), seed=st.integers(0, 10**6))
def test_parts_partition_the_links_and_no_negative_is_a_link(graph: Graph, seed: int) -> None:
    assume(has_room(graph, graph.num_links))
    split = make_split(Dataset("toy", graph, "auc"), SMALL, seed)
    assert rows(split.train, split.valid.positive, split.test.positive) == rows(graph.links)
    assert rows(split.graph.links) == rows(split.train)
    assert split.test_graph is split.graph
    assert len(split.valid.positive) == int(0.2 * graph.num_links)
    assert len(split.test.positive) == int(0.3 * graph.num_links)
    negatives = torch.cat([split.valid.negative, split.test.negative])
    assert not graph.has_links(negatives).any()
    assert len(negatives.unique(dim=0)) == len(negatives) == len(split.valid.positive) + len(split.test.positive)


@given(graph=graphs(min_nodes=6, max_nodes=14, min_links=6, weighted=True), seed=st.integers(0, 99))
def test_weights_stay_on_their_links(graph: Graph, seed: int) -> None:
    assume(has_room(graph, graph.num_links))
    split = make_split(Dataset("toy", graph, "auc"), SMALL, seed)
    weight = dict(zip(map(tuple, graph.links.tolist()), graph.link_weight.tolist(), strict=True))
    assert split.margin.tolist() == [weight[tuple(link)] for link in split.train.tolist()]
    assert split.graph.link_weight.tolist() == split.margin.tolist()


def test_a_seed_gives_the_same_split_and_each_stage_draws_on_its_own() -> None:
    cora = load_embedded_cora()
    first, again, other = (make_split(cora, PROTOCOLS["paper"], seed) for seed in (0, 0, 1))
    assert torch.equal(first.test.positive, again.test.positive)
    assert torch.equal(first.test.negative, again.test.negative)
    assert not torch.equal(first.test.positive, other.test.positive)
    matched = make_split(cora, PROTOCOLS["paper"].with_negatives("degree-matched"), 0)
    assert torch.equal(first.test.positive, matched.test.positive)  # other negatives do not move the cut
    assert matched.protocol == "paper+degree-matched"


def test_paper_and_ncn_have_the_published_sizes_on_cora() -> None:
    cora = load_embedded_cora()
    paper, ncn = make_split(cora, PROTOCOLS["paper"], 0), make_split(cora, PROTOCOLS["ncn"], 0)
    assert (len(paper.valid.positive), len(paper.test.positive)) == (263, 527)
    assert (len(paper.valid.negative), len(paper.test.negative)) == (263, 527)
    assert (len(ncn.valid.positive), len(ncn.test.negative)) == (527, 1055)


def test_buddy_uses_the_largest_component_and_shows_validation_links_at_test() -> None:
    cora = load_embedded_cora()
    split = make_split(cora, PROTOCOLS["buddy"], 0)
    assert split.graph.num_nodes == 2485
    assert 1000 < len(split.test.positive) < 1030
    assert rows(split.test_graph.links) == rows(split.train, split.valid.positive)
    known = set(
        map(frozenset, [[cora.graph.node_ids[i], cora.graph.node_ids[j]] for i, j in cora.graph.links.tolist()])
    )
    ids = split.graph.node_ids
    assert all(frozenset([ids[i], ids[j]]) in known for i, j in split.test.positive.tolist())
    node = cora.graph.node_ids.index([ids[17]])[0]
    assert (split.graph.features[[17]] != cora.graph.features[[node]]).nnz == 0


def test_heart_gives_each_link_five_hundred_negatives_of_its_own() -> None:
    cora = load_embedded_cora()
    split = make_split(cora, PROTOCOLS["heart"], 0)
    assert split.test.negative.shape == (527, 500, 2)
    assert not cora.graph.has_links(split.test.negative.reshape(-1, 2)).any()
    for side in (0, 1):
        kept = split.test.negative[:, 250 * side : 250 * (side + 1)]
        assert (kept == split.test.positive[:, None, side : side + 1]).any(dim=-1).all()


def time_dataset(times: list[int]) -> Dataset:
    return Dataset("toy", path(len(times) + 1), "auc", time=torch.tensor(times))


@given(times=st.lists(st.integers(0, 1000), min_size=40, max_size=60, unique=True))
def test_time_tests_the_newest_links(times: list[int]) -> None:
    dataset = time_dataset(times)
    split = make_split(dataset, PROTOCOLS["time"], 0)
    when = dict(zip(map(tuple, dataset.graph.links.tolist()), times, strict=True))
    parts = [
        [when[tuple(link)] for link in part.tolist()]
        for part in (split.train, split.valid.positive, split.test.positive)
    ]
    assert max(parts[0]) < min(parts[1])
    assert max(parts[1]) < min(parts[2])
    assert len(parts[2]) == len(times) // 10
    assert rows(split.test_graph.links) == rows(split.train, split.valid.positive)


def test_links_of_the_same_time_stay_together() -> None:
    split = make_split(time_dataset([1] * 70 + [2] * 20 + [3] * 30), PROTOCOLS["time"], 0)
    assert (len(split.train), len(split.valid.positive), len(split.test.positive)) == (70, 20, 30)


def test_one_time_for_all_links_is_an_error() -> None:
    with pytest.raises(SplitError, match="1 different times"):
        make_split(time_dataset([5] * 100), PROTOCOLS["time"], 0)


def official() -> Dataset:
    train = torch.tensor([[0, 1], [1, 2]])
    valid = LinkSet(torch.tensor([[2, 3]]), torch.tensor([[0, 4]]))
    test = LinkSet(torch.tensor([[3, 4]]), torch.tensor([[1, 4]]))
    return Dataset("toy", Graph.from_edges(5, train), "hits@1", official=OfficialSplit(train, valid, test))


def test_ogb_takes_the_official_lists_and_valid_input_shows_validation_links_at_test() -> None:
    plain, more = (make_split(official(), PROTOCOLS[name], 0) for name in ("ogb", "ogb-valid-input"))
    assert plain.seed is None
    assert rows(plain.test_graph.links) == [(0, 1), (1, 2)]
    assert rows(more.test_graph.links) == [(0, 1), (1, 2), (2, 3)]
    assert rows(more.graph.links) == [(0, 1), (1, 2)]


@pytest.mark.parametrize(
    ("dataset", "protocol", "message"),
    [
        (Dataset("toy", path(6), "auc"), "paper", "5 links are too few"),
        (Dataset("toy", path(60), "auc"), "ogb", "no official split"),
        (Dataset("toy", path(60), "auc"), "time", "have no time"),
        (official(), "paper", "has an official split"),
        (replace(official(), time=torch.tensor([1, 2])), "time", "has an official split"),
    ],
)
def test_what_does_not_fit_is_an_error(dataset: Dataset, protocol: str, message: str) -> None:
    with pytest.raises(SplitError, match=message):
        make_split(dataset, PROTOCOLS[protocol], 0)


@pytest.mark.parametrize(
    "wrong", [{"negatives": "bogus"}, {"cut": "bogus"}, {"valid": 0.6, "test": 0.6}, {"valid": -0.1}, {"test": 0.0}]
)
def test_a_protocol_that_means_nothing_is_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(SettingsError, match="protocol 'mine'"):
        Protocol("mine", "", **wrong)


def test_prescribed_negatives_cannot_be_replaced() -> None:
    with pytest.raises(SplitError, match="prescribed"):
        PROTOCOLS["ogb"].with_negatives("heart")


def test_an_unknown_protocol_gets_the_nearest_name() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'buddy'"):
        PROTOCOLS["budy"]
