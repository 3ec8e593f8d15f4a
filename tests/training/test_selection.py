"""What epochs are compared by."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from torch import Tensor

from hlgnn.data import LinkSet, Split
from hlgnn.errors import MetricError, NumericalError, SplitError
from hlgnn.evaluation import METRICS, metric
from hlgnn.graph import Graph, complete
from hlgnn.models import LinkModel
from hlgnn.training.evaluate import evaluate, link_scores, score_pairs
from hlgnn.training.selection import Selection, make_selection
from hlgnn.training.train_settings import TrainSettings
from strategies import graphs
from toy_models import build, community_split


class Sums(LinkModel[float, float]):
    """i + 100 j, times what was prepared; in training it would be nonsense."""

    def prepare(self, graph: Graph) -> float:
        return 1.0

    def encode(self, prepared: float) -> float:
        return prepared * (-1.0 if self.training else 1.0)

    def score(self, state: float, pairs: Tensor) -> Tensor:
        return state * (pairs[:, 0] + 100.0 * pairs[:, 1])


def selection(split: Split, default: str = "auc", seed: int = 0, **chosen: Any) -> Selection:
    return make_selection(split, TrainSettings(**chosen), default, torch.Generator().manual_seed(seed))


@settings(max_examples=30)
@given(graph=graphs(min_nodes=6, max_nodes=15, min_links=3), times=st.integers(1, 4), seed=st.integers(0, 99))
def test_drawn_negatives_are_no_links_of_training_and_validation(graph: Graph, times: int, seed: int) -> None:
    assume(graph.num_links <= graph.num_nodes)
    messages, valid = graph.keep_links(torch.arange(graph.num_links) > 1), graph.links[:2]
    given_negative = torch.tensor([[0, 1], [1, 2], [2, 3]])
    links = LinkSet(valid.flip(1), given_negative)
    split = Split("own", 0, messages, messages, messages.links, torch.ones(messages.num_links), links, links)
    chosen = selection(split, seed=seed, selection_negatives=times).links
    assert torch.equal(chosen.positive, links.positive)
    assert torch.equal(chosen.negative[:3], given_negative)
    drawn = chosen.negative[3:]
    assert len(drawn) == 3 * times
    assert not graph.has_links(drawn).any()
    assert (drawn[:, 0] != drawn[:, 1]).all()
    assert torch.equal(drawn, selection(split, seed=seed, selection_negatives=times).links.negative[3:])


def test_nothing_of_the_test_is_used_but_the_number_of_its_negatives() -> None:
    split = community_split()
    other = replace(
        split,
        test_graph=complete(split.graph.num_nodes),
        test=LinkSet(split.test.positive[:1], torch.zeros_like(split.test.negative)),
    )
    settings_ = {"selection_negatives": 3, "select_at_rate": True}
    left, right = (selection(each, "hits@5", **settings_) for each in (split, other))
    assert torch.equal(left.links.positive, right.links.positive)
    assert torch.equal(left.links.negative, right.links.negative)
    assert left.metric.name == right.metric.name


def test_a_held_out_test_link_may_be_drawn() -> None:
    """All is linked but the test link, so it is the only negative that training and validation do not rule out."""
    whole = complete(6)
    messages, held_out = whole.keep_links(torch.arange(15) > 1), LinkSet(whole.links[:1], whole.links[:1])
    valid = LinkSet(whole.links[1:2], whole.links[:1])
    split = Split("own", 0, messages, messages, messages.links, torch.ones(13), valid, held_out)
    drawn = selection(split, selection_negatives=4).links.negative[1:]
    assert {frozenset(pair) for pair in drawn.tolist()} == {frozenset(whole.links[0].tolist())}


def test_a_graph_without_room_is_refused() -> None:
    whole = complete(6)
    links = LinkSet(whole.links[:1], whole.links[:1])
    split = Split("own", 0, whole, whole, whole.links, torch.ones(15), links, links)
    with pytest.raises(SplitError, match="nearly everything is linked"):
        selection(split, selection_negatives=1)


def test_training_links_outside_of_the_message_graph_are_no_negatives() -> None:
    whole = complete(5)
    messages = whole.keep_links(torch.arange(10) > 5)
    links = LinkSet(whole.links[:1], whole.links[:1])
    train = whole.links[2:]
    split = Split("own", 0, messages, messages, train, torch.ones(len(train)), links, links)
    drawn = selection(split, selection_negatives=8).links.negative[1:]
    assert {frozenset(pair) for pair in drawn.tolist()} == {frozenset(whole.links[1].tolist())}


@pytest.mark.parametrize("name", ["hits@10", "Hits@10", " HITS@10 "])
@pytest.mark.parametrize(
    ("valid", "test", "expected"), [(100, 100, 10), (50, 100, 5), (300, 100, 30), (3, 100, 1), (100, 1000, 1)]
)
def test_hits_are_selected_at_the_rate_of_the_test(name: str, valid: int, test: int, expected: int) -> None:
    """K of the validation is to its negatives what K of the test is to its own, and at least one."""
    split = community_split()
    pairs = split.valid.negative[:1]
    resized = replace(
        split,
        valid=LinkSet(split.valid.positive, pairs.expand(valid, 2)),
        test=LinkSet(split.test.positive, pairs.expand(test, 2)),
    )
    assert selection(resized, name, select_at_rate=True).metric.name == f"hits@{expected}"
    assert selection(resized, "auc", select=name, select_at_rate=True).metric.name == f"hits@{expected}"
    assert selection(resized, name).metric.name == "hits@10"
    drawn = selection(resized, name, select_at_rate=True, selection_negatives=1)  # twice as many in all
    assert drawn.metric.name == f"hits@{max(1, round(10 / test * 2 * valid))}"


def test_the_metric_is_that_of_the_data_unless_another_is_named() -> None:
    split = community_split()
    assert selection(split, "hits@7").metric.name == "hits@7"
    assert selection(split, "hits@7", select="mrr").metric.name == "mrr"
    assert selection(split, "auc", select_at_rate=True).metric.name == "auc"


def test_own_negatives_stay_as_they_are() -> None:
    split = community_split()
    own = LinkSet(split.valid.positive, split.valid.negative[:, None].expand(-1, 4, -1))
    chosen = selection(replace(split, valid=own, test=own), "hits@3", selection_negatives=5, select_at_rate=True)
    assert chosen.links is own
    assert chosen.metric.name == "hits@3"


def test_the_value_is_the_metric_of_the_scores_in_evaluation_mode() -> None:
    split, model = community_split(), Sums()
    model.train()
    positive, negative = (each[:, 0] + 100.0 * each[:, 1] for each in (split.valid.positive, split.valid.negative))
    expected = metric("auc")(positive, negative)
    assert selection(split).value(model, 1.0) == (expected, expected)
    assert model.training


def test_scores_do_not_depend_on_the_size_of_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    pairs = torch.arange(14).view(7, 2)
    whole = score_pairs(Sums(), 1.0, pairs)
    monkeypatch.setattr(Sums, "pairs_at_once", 3)
    assert torch.equal(score_pairs(Sums(), 1.0, pairs), whole)
    assert score_pairs(Sums(), 1.0, pairs[:0]).shape == (0,)


def test_shared_and_own_negatives_keep_their_shape() -> None:
    pairs = torch.arange(12).view(6, 2)
    _, shared = link_scores(Sums(), 1.0, LinkSet(pairs[:2], pairs[2:]))
    _, own = link_scores(Sums(), 1.0, LinkSet(pairs[:2], pairs[2:].view(2, 2, 2)))
    assert torch.equal(own, shared.view(2, 2))


def test_scores_that_are_no_numbers_are_refused() -> None:
    pairs = torch.arange(12).view(6, 2)
    with pytest.raises(NumericalError, match="infinite or no numbers"):
        link_scores(Sums(), float("inf"), LinkSet(pairs[:2], pairs[2:]))


def test_only_metrics_with_enough_negatives_are_computed() -> None:
    split = community_split()
    few = LinkSet(split.valid.positive, split.valid.negative[:5])
    model = build(split.graph, input={"hidden": 4}, propagation={"depth": 2}, head={"hidden": 4})
    values = evaluate(model, model.prepare(split.graph), few, METRICS.values())
    assert set(values) == {"hits@1", "hits@3", "mrr", "auc", "ap"}
    assert all(0 <= value <= 1 for value in values.values())
    with pytest.raises(MetricError):
        selection(replace(split, valid=few), "hits@6").value(model, model.prepare(split.graph))
