"""Metrics told in blocks are those of all scores at once, and those of OGB."""

import sys
import warnings
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from hlgnn.data import LinkSet
from hlgnn.data.own_targets import OwnTargets
from hlgnn.errors import MetricError
from hlgnn.evaluation import METRICS, NamedMetric, common_neighbors, link_scores, score_links
from hlgnn.evaluation.by_blocks import in_blocks
from hlgnn.graph import karate_club


class Largest:
    """A metric of somebody else, who wants all scores: the largest gap."""

    name, least_negatives = "largest", 1

    def __call__(self, positive: Tensor, negative: Tensor, /) -> float:
        return float((positive[:, None] - negative).max())


def told(metric: NamedMetric, positive: Tensor, negative: Tensor, rows: int) -> float:
    blocks = in_blocks(metric, positive)
    for block in negative.split(rows):
        blocks.add(block)
    return blocks.value()


@settings(max_examples=60)
@given(
    count=st.integers(1, 9),
    rows=st.integers(1, 10),
    levels=st.integers(1, 40),
    name=st.sampled_from(["hits@1", "hits@3", "mrr", "auc", "ap", "largest"]),
    seed=st.integers(0, 999),
)
def test_blocks_of_any_size_give_the_metric_of_the_whole(
    count: int, rows: int, levels: int, name: str, seed: int
) -> None:
    """Few levels of scores make ties between positives, between negatives, and across."""
    generator = torch.Generator().manual_seed(seed)
    positive = torch.randint(levels, (count,), generator=generator) / 3.0
    negative = torch.randint(levels, (count, 5), generator=generator) / 3.0
    metric = Largest() if name == "largest" else METRICS[name]
    assert told(metric, positive, negative, rows) == pytest.approx(metric(positive, negative), rel=1e-12, abs=1e-15)


@pytest.fixture(scope="module")
def ogb_evaluator() -> Callable[[str], Any]:
    """OGB's evaluators; its question to the package index is kept from being asked."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.setitem(sys.modules, "outdated", None)
        warnings.simplefilter("ignore")
        from ogb.linkproppred import Evaluator

        return Evaluator  # type: ignore[no-any-return]


@settings(max_examples=30)
@given(count=st.integers(1, 9), rows=st.integers(1, 10), levels=st.integers(1, 40), seed=st.integers(0, 999))
def test_blocks_equal_the_official_evaluator(
    ogb_evaluator: Callable[[str], Any], count: int, rows: int, levels: int, seed: int
) -> None:
    generator = torch.Generator().manual_seed(seed)
    positive = torch.randint(levels, (count,), generator=generator) / 3.0
    negative = torch.randint(levels, (count, 12), generator=generator) / 3.0
    lists = ogb_evaluator("ogbl-citation2").eval({"y_pred_pos": positive, "y_pred_neg": negative})
    for name in ("mrr", "hits@1", "hits@3", "hits@10"):
        expected = lists[f"{name}_list"].mean().item()
        assert told(METRICS[name], positive, negative, rows) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("at_once", [1, 7, 1 << 22])
def test_a_predictor_that_learns_nothing_scores_in_blocks_too(at_once: int, monkeypatch: pytest.MonkeyPatch) -> None:
    generator, graph = torch.Generator().manual_seed(0), karate_club()
    positive, target = (torch.randint(34, (5, width), generator=generator) for width in (2, 3))
    links = OwnTargets(positive, target)
    monkeypatch.setattr(link_scores, "PAIRS_AT_ONCE", at_once)
    ours = score_links(common_neighbors, graph, links)
    plain = score_links(common_neighbors, graph, LinkSet(positive, links.negative.reshape(-1, 2)))
    assert torch.equal(ours[0], plain[0])
    assert torch.equal(ours[1].flatten(), plain[1])


def test_scores_that_make_no_sense_are_refused() -> None:
    blocks = in_blocks(METRICS["ap"], torch.zeros(2))
    with pytest.raises(MetricError, match="NaN or infinite"):
        blocks.add(torch.tensor([[float("nan")]]))
    with pytest.raises(MetricError, match="needs at least 50 negatives"):
        in_blocks(METRICS["hits@50"], torch.zeros(2)).add(torch.zeros(2, 3))
