"""What is measured is what the model is about: sizes, parameters and bytes are the real ones."""

import pytest
import torch

from hlgnn.jobs.growth import measure
from hlgnn.jobs.growth.fitted import Fitted
from hlgnn.jobs.growth.measure import calibrated, make_model, make_split, measure_step
from hlgnn.jobs.growth.sharing import summed_bytes
from hlgnn.jobs.growth.step_size import KINDS, StepSize
from hlgnn.jobs.growth.terms import NAMES
from hlgnn.processes import Processes
from hlgnn.processes.group import Group
from hlgnn.processes.traffic import Traffic
from hlgnn.seeds import Seeds
from hlgnn.training.fit import Training
from hlgnn.training.train_settings import TrainSettings
from hlgnn.training.work_sizes import work_sizes

SMALL = StepSize(500, 2500, 12, 3, "sym", 256, 8)


@pytest.mark.parametrize("kind", KINDS)
def test_the_size_is_that_of_the_real_model(kind: str) -> None:
    size = StepSize(500, 2500, 12, 3, kind, 256, 8)  # type: ignore[arg-type]
    split = make_split(size)
    model = make_model(size, split)
    assert (split.graph.num_nodes, split.graph.num_links) == (size.nodes, size.links)
    real = work_sizes(model, split, TrainSettings(batch_size=size.batch))
    told = size.work
    assert sum(each.numel() for each in model.parameters()) == size.parameters
    for name in ("nodes", "links", "width", "depth", "operators", "embedding", "pairs", "graphs", "parameters"):
        assert getattr(told, name) == getattr(real, name), name
    assert (told.head_hidden, told.head_layers, told.linear) == (real.head_hidden, real.head_layers, real.linear)


class Silent(Group):
    """One of two processes, whose sums are counted and left as they are."""

    def sum(self, tensor: torch.Tensor, kind: str) -> torch.Tensor:
        self.traffic.note(kind, tensor)
        return tensor

    def agree(self, tensor: torch.Tensor) -> torch.Tensor:
        return tensor


@pytest.mark.parametrize("kind", KINDS)
def test_by_pairs_a_step_tells_as_many_bytes_as_the_formula_says(kind: str) -> None:
    size = StepSize(500, 2500, 12, 3, kind, 256, 8)  # type: ignore[arg-type]
    split, traffic = make_split(size), Traffic()
    two = Silent(0, 2, None, traffic)
    processes = Processes(two, two, Group(traffic=traffic), traffic)
    train = TrainSettings(batch_size=size.batch)
    training = Training(
        make_model(size, split), split, train, default_metric="auc", seeds=Seeds(0), processes=processes
    )
    traffic.forget()
    next(training.steps())()
    assert traffic.bytes.total() == summed_bytes(size, "pairs", 2)


def test_a_measurement_is_in_order() -> None:
    found = measure_step(SMALL, repeats=1)
    assert found.size == SMALL
    assert found.seconds > 0
    assert 0 < found.base <= found.peak
    assert found.built <= found.peak


def test_a_machine_is_scaled_by_what_it_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    ones = Fitted(dict.fromkeys(NAMES, 0.0) | {"step": 1e-6}, {}, {}, 0.0, 1)
    monkeypatch.setattr(measure, "SHORT", (SMALL,))
    told: list[tuple[str, int, int]] = []
    scaled = calibrated(ones, lambda *call: told.append(call))
    assert scaled.scale > 10  # a step takes longer than a microsecond
    assert told[-1] == ("Measuring", 1, 1)
