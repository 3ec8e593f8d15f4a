"""Numbers of pairs that are kept: the same as those that are computed, and computed once."""

from __future__ import annotations

import pytest
import torch

from hlgnn.catalog import load_dataset
from hlgnn.data import PROTOCOLS, make_split
from hlgnn.jobs.presets import settings_for
from hlgnn.jobs.train import prepare_run
from hlgnn.models.known_numbers import KnownNumbers
from hlgnn.models.pair_reader import PairView
from hlgnn.seeds import Seeds
from hlgnn.training.fit import Training

PAIRS = torch.tensor([[0, 1], [1, 2], [5, 3]])


def counted() -> tuple[list[int], KnownNumbers]:
    return [], KnownNumbers(most=10_000)


def test_a_list_is_computed_once_and_another_order_or_list_anew() -> None:
    calls, known = counted()

    def compute(pairs: torch.Tensor) -> torch.Tensor:
        calls.append(len(pairs))
        return pairs.double().sum(dim=1, keepdim=True)

    for pairs in (PAIRS, PAIRS.clone(), PAIRS.flip(0), PAIRS.flip(1), PAIRS[:2], PAIRS[::2], PAIRS):
        assert torch.equal(known.of(pairs, compute), pairs.double().sum(dim=1, keepdim=True))
    assert calls == [3, 3, 3, 2, 2]


@pytest.mark.parametrize(("most", "times"), [(0, 4), (23, 4), (24, 3), (10_000, 2)])
def test_no_more_is_kept_than_allowed(most: int, times: int) -> None:
    calls: list[int] = []
    known = KnownNumbers(most)
    for pairs in (PAIRS, PAIRS.flip(0), PAIRS, PAIRS.flip(0)):
        known.of(pairs, lambda each: (calls.append(1), each[:, 0])[1])  # 24 bytes
    assert len(calls) == times


def test_epochs_are_compared_by_the_same_values_and_validation_pairs_are_read_once(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    settings = settings_for("cora", protocol="ncn", changes=("train.epochs=2", "train.evaluate_every=1"))
    split = make_split(load_dataset("cora"), PROTOCOLS["ncn"], 0)
    compute, asked = PairView.numbers, []

    def numbers(view: PairView, pairs: torch.Tensor) -> torch.Tensor:
        asked.append(len(pairs))
        return compute(view, pairs)

    monkeypatch.setattr(PairView, "numbers", numbers)
    values, calls = [], []
    for remembered in (0, 1 << 29):
        model = prepare_run(settings).model
        training = Training(
            model, split, settings.train, default_metric="hits@100", seeds=Seeds(0), remembered=remembered
        )
        asked.clear()
        values.append([training.offer(), training.offer(), training.offer()])
        calls.append(len(asked))
    assert values[0] == values[1]
    assert calls[0] == 3 * calls[1] > 0
