"""What a run would need at most, from a few of its steps: for what does not fit the machine or the day."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.tasks.epoch import measure
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hlgnn.experiments.tasks.task import Values

LAST_EVALUATIONS = 3
"""After training both parts are scored, and there are about twice as many test links as validation links."""


def seconds_of_training(values: Values, seed: int, watched: float, progress: Progress = silent) -> float:
    """Seconds of a run if no patience ends it.

    Args:
        values: The settings of a cell that trains.
        seed: Of the split that is measured on.
        watched: For how many seconds steps are made, of one epoch at most.
        progress: Told of steps that are done.
    """
    settings = make_run_settings({**values, "seed": seed})
    found = measure(settings, watched, progress)
    return seconds_of_parts(found, settings.train.epochs, settings.train.evaluate_every)


def seconds_of_parts(found: Mapping[str, float], epochs: int, evaluate_every: int) -> float:
    """Preparation, epochs and evaluations added up; a method without weights is evaluated in each of its versions.

    Example:
        >>> evaluation = {"seconds_of_evaluation": 1.0, "processor_seconds_of_evaluation": 1.8}  # two processors
        >>> epoch = {"seconds_per_epoch": 6.0, "processor_seconds_per_epoch": 2.0}  # beside other work
        >>> seconds_of_parts({"seconds_before": 10.0} | epoch | evaluation, epochs=100, evaluate_every=2)
        264.0
        >>> seconds_of_parts(evaluation | {"choices": 10}, epochs=100, evaluate_every=2)
        13.0
    """
    evaluation = _undisturbed(found, "of_evaluation")
    if "seconds_per_epoch" not in found:
        return (found["choices"] + LAST_EVALUATIONS) * evaluation
    evaluations = 1 + epochs // evaluate_every + LAST_EVALUATIONS
    return found["seconds_before"] + epochs * _undisturbed(found, "per_epoch") + evaluations * evaluation


def _undisturbed(found: Mapping[str, float], what: str) -> float:
    """By the clock, or of the processor where that is less: then something else was running beside it."""
    return min(found[f"seconds_{what}"], found[f"processor_seconds_{what}"])
