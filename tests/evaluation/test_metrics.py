"""Metrics against OGB, scikit-learn, literal definitions, and limits that are known."""

import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from sklearn.metrics import average_precision_score, roc_auc_score
from torch import Tensor

from hlgnn.errors import MetricError, SettingsError, UnknownNameError
from hlgnn.evaluation import METRICS, auc, average_precision, false_positive_rate, hits_at, metric, mrr
from hlgnn.evaluation.metrics import NamedMetric, Ties

TIES: tuple[Ties, ...] = ("optimistic", "average", "pessimistic")
ALL_AT_FIVE: list[NamedMetric] = [hits_at(5), mrr(), auc, average_precision]


@st.composite
def scores(draw: st.DrawFn, *, own: bool, least: int = 1) -> tuple[Tensor, Tensor]:
    """Positives and negatives from few levels, so that most are tied; each level is exact in both types."""
    dtype = draw(st.sampled_from([torch.float32, torch.float64]))
    level = st.integers(-4, 4)
    num_positives = draw(st.integers(1, 12))
    num_negatives = draw(st.integers(least, least + 15))
    positive = draw(st.lists(level, min_size=num_positives, max_size=num_positives))
    count = num_negatives * (num_positives if own else 1)
    negative = torch.tensor(draw(st.lists(level, min_size=count, max_size=count)), dtype=dtype) / 4
    return torch.tensor(positive, dtype=dtype) / 4, negative.view(num_positives, -1) if own else negative


any_scores = st.booleans().flatmap(lambda own: scores(own=own, least=5))


@pytest.fixture(scope="module")
def ogb_evaluator() -> Callable[[str], Any]:
    """OGB's evaluators; its question to the package index is kept from being asked."""
    with pytest.MonkeyPatch.context() as patch, warnings.catch_warnings():
        patch.setitem(sys.modules, "outdated", None)
        warnings.simplefilter("ignore")
        from ogb.linkproppred import Evaluator

        return Evaluator  # type: ignore[no-any-return]


@given(data=st.data())
def test_hits_equals_ogb(ogb_evaluator: Callable[[str], Any], data: st.DataObject) -> None:
    k = data.draw(st.integers(1, 10))
    positive, negative = data.draw(scores(own=False, least=k))
    evaluator = ogb_evaluator("ogbl-ddi")
    evaluator.K = k
    expected = evaluator.eval({"y_pred_pos": positive, "y_pred_neg": negative})[f"hits@{k}"]
    assert hits_at(k)(positive, negative) == pytest.approx(expected, abs=1e-12)


@given(given_scores=scores(own=True, least=10))
def test_own_negatives_equal_ogb(ogb_evaluator: Callable[[str], Any], given_scores: tuple[Tensor, Tensor]) -> None:
    positive, negative = given_scores
    lists = ogb_evaluator("ogbl-citation2").eval({"y_pred_pos": positive, "y_pred_neg": negative})
    assert mrr()(positive, negative) == pytest.approx(lists["mrr_list"].mean().item(), abs=1e-6)
    for k in (1, 3, 10):
        assert hits_at(k)(positive, negative) == pytest.approx(lists[f"hits@{k}_list"].mean().item(), abs=1e-6)


@given(given_scores=any_scores, ties=st.sampled_from(TIES))
def test_ranks_are_counted_one_by_one(given_scores: tuple[Tensor, Tensor], ties: Ties) -> None:
    positive, negative = given_scores
    share = {"optimistic": 0, "average": 0.5, "pessimistic": 1, "strict": 1}[ties]
    ranks = []
    for i, score in enumerate(positive.tolist()):
        others = (negative[i] if negative.ndim == 2 else negative).tolist()
        ranks.append(1 + sum(other > score for other in others) + share * others.count(score))
    assert mrr(ties)(positive, negative) == pytest.approx(np.mean([1 / rank for rank in ranks]), abs=1e-12)
    assert hits_at(5, ties)(positive, negative) == pytest.approx(np.mean([rank <= 5 for rank in ranks]), abs=1e-12)


@given(given_scores=scores(own=False))
def test_auc_and_average_precision_equal_scikit_learn(given_scores: tuple[Tensor, Tensor]) -> None:
    positive, negative = given_scores
    truth = [1] * len(positive) + [0] * len(negative)
    all_scores = torch.cat(given_scores).numpy()
    assert auc(positive, negative) == pytest.approx(roc_auc_score(truth, all_scores), abs=1e-12)
    assert average_precision(positive, negative) == pytest.approx(average_precision_score(truth, all_scores), abs=1e-12)


@given(given_scores=scores(own=True))
def test_auc_and_average_precision_of_own_negatives(given_scores: tuple[Tensor, Tensor]) -> None:
    positive, negative = given_scores
    areas = [
        roc_auc_score([1] + [0] * len(row), [score, *row.tolist()])
        for score, row in zip(positive.tolist(), negative, strict=True)
    ]
    assert auc(positive, negative) == pytest.approx(np.mean(areas), abs=1e-12)
    assert average_precision(positive, negative) == average_precision(positive, negative.flatten())


@given(given_scores=any_scores, seed=st.integers(0, 99))
def test_increasing_maps_and_the_order_change_nothing(given_scores: tuple[Tensor, Tensor], seed: int) -> None:
    positive, negative = (part.double() for part in given_scores)
    order = torch.randperm(len(positive), generator=torch.Generator().manual_seed(seed))
    moved = negative[order] if negative.ndim == 2 else negative.flip(0)
    for tested in ALL_AT_FIVE:
        value = tested(positive, negative)
        assert tested(positive.exp() * 3 - 7, negative.exp() * 3 - 7) == pytest.approx(value, abs=1e-12)
        assert tested(positive[order], moved) == pytest.approx(value, abs=1e-12)


@pytest.mark.parametrize("own", [False, True])
def test_limits(own: bool) -> None:
    positive, shape = torch.ones(4), (4, 10) if own else (10,)
    low, same, high = torch.zeros(shape), torch.ones(shape), torch.full(shape, 2.0)
    for tested in ALL_AT_FIVE:
        assert tested(positive, low) == 1
    assert [tested(positive, high) for tested in (hits_at(5), mrr(), auc)] == [0, pytest.approx(1 / 11), 0]
    # All scores equal: the optimistic rank is 1, the pessimistic one 11, the average one 6.
    assert [hits_at(5, ties)(positive, same) for ties in TIES] == [1, 0, 0]
    assert [hits_at(6, ties)(positive, same) for ties in TIES] == [1, 1, 0]
    assert [mrr(ties)(positive, same) for ties in TIES] == [1, pytest.approx(1 / 6), pytest.approx(1 / 11)]
    assert auc(positive, same) == 0.5
    assert average_precision(positive, same) == pytest.approx(4 / same.numel() / (1 + 4 / same.numel()))


def test_default_ties_of_hits_are_those_of_ogb_for_each_kind_of_negatives() -> None:
    positive, negative = torch.tensor([1.0]), torch.tensor([1.0, 0.0, 0.0])  # ranks 1, 1.5 or 2
    assert hits_at(1)(positive, negative) == hits_at(1, "strict")(positive, negative) == 0
    assert hits_at(1, "optimistic")(positive, negative) == 1
    pair = torch.tensor([[1.0, 1.0, 0.0]])  # ranks 1, 2 or 3
    assert hits_at(2)(positive, pair) == 1
    assert hits_at(2, "strict")(positive, pair) == 0


def test_as_many_negatives_as_k_are_enough_and_fewer_are_an_error() -> None:
    positive = torch.tensor([0.5, 3.0])
    assert hits_at(3)(positive, torch.tensor([0.0, 1.0, 2.0])) == 1
    assert hits_at(3)(positive, torch.tensor([1.0, 1.0, 2.0])) == 0.5
    with pytest.raises(MetricError, match=r"hits@4 needs at least 4 negatives, but there are 3.*K of at most 3"):
        hits_at(4)(positive, torch.tensor([0.0, 1.0, 2.0]))
    with pytest.raises(MetricError, match="at least 4 negatives for each positive, but there are 3"):
        hits_at(4)(positive, torch.zeros(2, 3))


@pytest.mark.parametrize("tested", ALL_AT_FIVE, ids=lambda tested: tested.name)
@pytest.mark.parametrize("bad", [float("nan"), float("inf"), -float("inf")])
def test_scores_that_are_no_numbers_are_an_error(tested: Callable[[Tensor, Tensor], float], bad: float) -> None:
    broken = torch.zeros(10)
    broken[3] = bad
    with pytest.raises(MetricError, match="1 of 10 scores of positives"):
        tested(broken, torch.zeros(20))
    with pytest.raises(MetricError, match="1 of 10 scores of negatives"):
        tested(torch.zeros(20), broken)


@pytest.mark.parametrize("tested", ALL_AT_FIVE, ids=lambda tested: tested.name)
def test_empty_or_misshapen_scores_are_an_error(tested: Callable[[Tensor, Tensor], float]) -> None:
    for positive, negative, message in [
        (torch.zeros(0), torch.zeros(9), "no scores of positives"),
        (torch.zeros(9), torch.zeros(0), "no scores of negatives"),
        (torch.zeros(9), torch.zeros(9, 0), "no scores of negatives"),
        (torch.zeros(9), torch.zeros(8, 9), "9 positives cannot have 8 rows"),
        (torch.zeros(9, 1), torch.zeros(9), "shapes"),
        (torch.zeros(9), torch.zeros(9, 9, 1), "shapes"),
    ]:
        with pytest.raises(MetricError, match=message):
            tested(positive, negative)


def test_types_are_compared_exactly() -> None:
    tenth = torch.tensor([0.1])  # a little more than a tenth in single precision
    assert auc(tenth, torch.tensor([0.1], dtype=torch.float64)) == 1
    large = torch.tensor([2**30 + 1])  # single precision would make this a tie
    assert auc(large, torch.tensor([2**30])) == 1
    assert average_precision(large, torch.tensor([2**30])) == 1
    half = torch.tensor([0.5], dtype=torch.bfloat16)
    assert average_precision(half, torch.tensor([0.25], dtype=torch.bfloat16)) == 1


def test_names() -> None:
    assert [metric(name).name for name in METRICS] == list(METRICS)
    assert [metric(name).name for name in ("Hits@42", " MRR ", "Auc", "AP")] == ["hits@42", "mrr", "auc", "ap"]
    positive, negative = torch.tensor([5.0, 2.0, 0.0]), torch.arange(6.0)
    assert metric("hits@4")(positive, negative) == hits_at(4)(positive, negative) == pytest.approx(1 / 3)
    with pytest.raises(UnknownNameError, match="Did you mean 'mrr'"):
        metric("mmr")
    with pytest.raises(UnknownNameError, match="no metric called 'hits@-1'"):
        metric("hits@-1")
    with pytest.raises(SettingsError, match="not 0"):
        metric("hits@0")
    with pytest.raises(UnknownNameError, match="Did you mean 'optimistic'"):
        mrr("optimstic")  # type: ignore[arg-type]


def test_false_positive_rate() -> None:
    assert false_positive_rate(100, 527) == pytest.approx(0.1898, abs=1e-4)
    assert false_positive_rate(5, 5) == 1
    for k, num_negatives in [(6, 5), (0, 5), (1, 0)]:
        with pytest.raises(MetricError):
            false_positive_rate(k, num_negatives)


def test_large_inputs_are_fast() -> None:
    generator = torch.Generator().manual_seed(0)
    positive, negative = torch.randn(133_489, generator=generator), torch.randn(95_599, generator=generator)
    start = time.perf_counter()
    assert auc(positive, negative) == pytest.approx(0.5, abs=0.01)
    for tested in (hits_at(20), mrr(), average_precision):
        tested(positive, negative)
    # About 0.2 s; a table of positives × negatives would need 12 GB and minutes.
    assert time.perf_counter() - start < 5
