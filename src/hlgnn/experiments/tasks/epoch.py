"""Seconds of an epoch and of an evaluation, and peak memory, without training to the end (Table 5).

Seconds are taken twice: by the clock, and of the processor, which other work on the machine hardly changes.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.experiments.tasks.data_digest import data_digest
from hlgnn.experiments.tasks.task import Task, Values
from hlgnn.experiments.tasks.training import training_values
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.train import prepare_run
from hlgnn.memory_size import peak_bytes
from hlgnn.progress import Progress, silent
from hlgnn.seeds import Seeds
from hlgnn.training.fit import Training, has_parameters

if TYPE_CHECKING:
    from hlgnn.jobs.run_settings import RunSettings

SAMPLED, LEAST_SECONDS = 256, 60.0
"""Pairs that say how long an evaluation takes; below a minute it is made."""


def measure(settings: RunSettings, seconds: float, progress: Progress = silent) -> dict[str, float | int | bool]:
    """What a method costs before training, for an epoch, and for an evaluation.

    Training steps are made until an epoch is done or the time is up; the epoch is then reckoned from the steps, and
    ``whole_epoch`` says which it was. ``whole_evaluation`` says the same of the evaluation. Of a method without
    weights, ``choices`` says how many versions of it there are to choose from.

    Args:
        settings: Method, data set and protocol.
        seconds: How long steps are made at most.
        progress: Told of steps that are done.
    """
    start = time.perf_counter()
    work = prepare_run(settings)
    training = Training(work.model, work.split, settings.train, default_metric=work.metric, seeds=Seeds(settings.seed))
    found: dict[str, float | int | bool] = {
        "parameters": sum(each.numel() for each in work.model.parameters() if each.requires_grad)
    }
    if has_parameters(work.model):
        next(training.steps())()  # compiles
        found["seconds_before"] = time.perf_counter() - start
        found |= _steps(training, seconds, progress)
        found |= _evaluation(training, seconds)
    else:
        found |= {"choices": work.model.choices} | _whole_evaluation(training)
    return found | {"peak_gigabytes": peak_bytes() / 1e9}


class _Watch:
    """Started when it is made."""

    def __init__(self) -> None:
        self.clock, self.processor = time.perf_counter(), time.process_time()

    @property
    def seconds(self) -> float:
        """By the clock, so far."""
        return time.perf_counter() - self.clock

    def read(self, what: str, share: float = 1.0) -> dict[str, float | bool]:
        """Both times of the whole, of which a share is done."""
        processor = time.process_time() - self.processor
        return {f"seconds_{what}": self.seconds / share, f"processor_seconds_{what}": processor / share}


def _steps(training: Training, seconds: float, progress: Progress) -> dict[str, float | bool]:
    made, total, watch = 0, training.steps_per_epoch, _Watch()
    training.model.train()
    for step in training.steps():
        made += len(step())
        progress("Steps", min(made, total), total)
        if watch.seconds > seconds:
            break
    return watch.read("per_epoch", min(made / total, 1.0)) | {"whole_epoch": made >= total}


def _evaluation(training: Training, seconds: float) -> dict[str, float | bool]:
    """The evaluation itself, or what a few of its pairs say if it would take longer than steps may."""
    valid, generator = training.split.valid, torch.Generator().manual_seed(0)
    pairs = torch.cat([valid.positive, valid.negative.flatten(0, -2)])
    some = pairs[torch.randint(len(pairs), (min(SAMPLED, len(pairs)),), generator=generator)]
    training.model.eval()
    with torch.no_grad():
        state, share = training.model.encode(training.targets.whole), len(some) / len(pairs)
        watch = _Watch()
        training.model.score(state, some)
    reckoned = watch.read("of_evaluation", share)
    if reckoned["seconds_of_evaluation"] > max(seconds, LEAST_SECONDS):
        return reckoned | {"whole_evaluation": False}
    return _whole_evaluation(training)


def _whole_evaluation(training: Training) -> dict[str, float | bool]:
    watch = _Watch()
    training.offer()
    return watch.read("of_evaluation") | {"whole_evaluation": True}


def epoch_values(settings: RunSettings, seconds: float) -> dict[str, Any]:
    """What a cell says: the run, and how long its steps are watched."""
    return {"run": training_values(settings), "seconds": seconds}


def _run(values: Values, seed: int, progress: Progress) -> dict[str, Any]:
    return dict(measure(make_run_settings({**values["run"], "seed": seed}), values["seconds"], progress))


def _label(values: Values) -> str:
    run = values["run"]
    return "-".join(("epoch", run["model_name"], run["dataset"]))


EPOCH = Task("epoch", revision=2, run=_run, label=_label, data=lambda values: data_digest(values["run"]["dataset"]))
