"""What each of several processes holds is counted, and not what all of them do."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from hlgnn.data import Split
from hlgnn.jobs.growth.measure import make_split
from hlgnn.jobs.growth.step_size import StepSize
from hlgnn.models import HLGNN, HLGNNSettings
from hlgnn.models.memory_estimate import WorkSizes, training_use
from hlgnn.models.memory_plan import MemoryPlan
from hlgnn.processes import SINGLE, Group, Processes
from hlgnn.training.train_settings import TrainSettings
from hlgnn.training.work_sizes import work_sizes

BY_PAIRS = Processes(Group(0, 4), Group(0, 4), Group())
BY_COLUMNS = Processes(Group(0, 4), Group(), Group(0, 4))


@pytest.fixture(scope="module")
def split() -> Split:
    return make_split(StepSize(500, 2500, 12, 3, "mixture", 256, 8))


def sizes_of(split: Split, processes: Processes, hidden: int = 0) -> WorkSizes:
    chosen: dict[str, Any] = {
        "input": {"source": "embedding", "embedding_width": 30, "hidden": hidden},
        "propagation": {"operators": "mixture", "depth": 6},
    }
    settings = HLGNNSettings.model_validate(chosen)
    model = HLGNN(split.graph, settings, torch.Generator(), processes.columns)
    return work_sizes(model, split, TrainSettings(batch_size=256), processes)


def test_pairs_are_divided(split: Split) -> None:
    one, four = sizes_of(split, SINGLE), sizes_of(split, BY_PAIRS)
    assert four.pairs == one.pairs / 4
    assert (four.width, four.embedding, four.parameters) == (one.width, one.embedding, one.parameters)


def test_columns_are_divided_and_the_widest_part_counts(split: Split) -> None:
    one, four = sizes_of(split, SINGLE), sizes_of(split, BY_COLUMNS)
    assert (one.width, one.embedding) == (30, 30)
    assert (four.width, four.embedding, four.input_width) == (8, 8, 8)
    assert four.pairs == one.pairs
    assert four.parameters < one.parameters / 2
    assert four.collected == 2 * 4 * 500 * 30
    plan = MemoryPlan(layers="all")
    assert training_use(four, plan).bytes < training_use(one, plan).bytes


def test_a_linear_layer_reads_all_columns(split: Split) -> None:
    four = sizes_of(split, BY_COLUMNS, hidden=16)
    assert (four.input_width, four.width, four.embedding) == (30, 4, 8)
