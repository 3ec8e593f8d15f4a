"""The cards, and the files that must be what the cards say."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from hlgnn.data.cards import CARDS
from hlgnn.data.dataset import DatasetCard
from hlgnn.jobs.dataset_status import statistics

COUNTED = [card for card in CARDS if card.counted]


def test_the_nine_benchmarks_are_there() -> None:
    assert [card.name for card in CARDS] == [
        "cora",
        "citeseer",
        "pubmed",
        "photo",
        "computers",
        "ogbl-collab",
        "ogbl-ddi",
        "ogbl-ppa",
        "ogbl-citation2",
    ]


@pytest.mark.parametrize("card", CARDS, ids=lambda card: card.name)
def test_every_card_is_complete(card: DatasetCard) -> None:
    assert all((card.title, card.metric, card.citation, card.licence, card.source, card.folders, card.protocols))
    assert len(card.files) == len({file.path for file in card.files}) > 0
    assert len(card.folders) == len(set(card.folders))
    for file in card.files:
        assert file.url.startswith("https://")
        assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in (*file.sha256, *file.archive_sha256))
        assert file.sha256 or not card.counted


@pytest.mark.data
@pytest.mark.parametrize("card", COUNTED, ids=lambda card: card.name)
def test_the_files_hold_what_the_card_says(card: DatasetCard, data_folder: Path) -> None:
    dataset = card.load(card, data_folder, lambda *_: None)
    numbers = statistics(card, dataset)
    assert [number.counted for number in numbers] == [number.card for number in numbers]
    assert (dataset.name, dataset.metric) == (card.name, card.metric)
    assert (dataset.official is not None) == ("ogb" in card.protocols)
