"""Numbers of pairs that are kept: the same as those that are computed, and computed once."""

from __future__ import annotations

import pytest
import torch

from hlgnn.data import LinkSet, Split
from hlgnn.graph import Graph, karate_club
from hlgnn.models import HLGNN, HeadSettings, HLGNNSettings, InputSettings
from hlgnn.models.known_numbers import KnownNumbers
from hlgnn.models.pair_reader import PairView
from hlgnn.seeds import Seeds
from hlgnn.training.fit import Training
from hlgnn.training.train_settings import TrainSettings

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
    club, drawn = karate_club(), torch.Generator().manual_seed(0)
    graph = Graph.from_edges(34, club.links[10:], features=torch.randn(34, 5, generator=drawn))
    valid = LinkSet(club.links[:10], torch.tensor([[4, 33], [3, 20], [7, 30]]))
    split = Split("test", 0, graph, graph, graph.links, torch.ones(graph.num_links), valid, valid)
    head = HeadSettings(kind="residual", hidden=8, pair_features=True, order_matrix=(0, 1), crowding=(0,), walks=2)
    settings = HLGNNSettings(input=InputSettings(source="features", hidden=0), head=head)
    compute, asked = PairView.numbers, []

    def numbers(view: PairView, pairs: torch.Tensor) -> torch.Tensor:
        asked.append(len(pairs))
        return compute(view, pairs)

    monkeypatch.setattr(PairView, "numbers", numbers)
    curves, calls = [], []
    for remembered in (0, 1 << 20):
        model = HLGNN(graph, settings, torch.Generator().manual_seed(1))
        how = TrainSettings(epochs=3, hide="none", batch_size=1000, selection_negatives=0)
        training = Training(model, split, how, default_metric="auc", seeds=Seeds(0), remembered=remembered)
        asked.clear()
        curves.append([training.run_epoch() for _ in range(3)])
        calls.append(len(asked))
    assert [(each.loss, each.valid) for each in curves[0]] == [(each.loss, each.valid) for each in curves[1]]
    learned, evaluated = 3, 2  # a step in each epoch; positives and negatives
    assert calls == [learned + 3 * evaluated, learned + evaluated]
