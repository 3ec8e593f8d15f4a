"""What cells do; one file for each kind of work."""

from hlgnn.experiments.tasks.agreement import AGREEMENT
from hlgnn.experiments.tasks.case_study import CASE_STUDY
from hlgnn.experiments.tasks.data_statistics import DATA_STATISTICS
from hlgnn.experiments.tasks.epoch import EPOCH
from hlgnn.experiments.tasks.growth import GROWTH
from hlgnn.experiments.tasks.operator_growth import OPERATOR_GROWTH
from hlgnn.experiments.tasks.parameters import PARAMETERS
from hlgnn.experiments.tasks.predictor_only import PREDICTOR_ONLY
from hlgnn.experiments.tasks.task import Task
from hlgnn.experiments.tasks.training import TRAINING
from hlgnn.registry import Registry

TASKS: Registry[Task] = Registry(
    "task",
    {
        each.name: each
        for each in (
            TRAINING,
            AGREEMENT,
            DATA_STATISTICS,
            EPOCH,
            GROWTH,
            PARAMETERS,
            CASE_STUDY,
            OPERATOR_GROWTH,
            PREDICTOR_ONLY,
        )
    },
)
"""Every kind of work, by name."""

__all__ = ["TASKS", "TRAINING", "Task"]
