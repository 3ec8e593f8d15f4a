"""All tables and figures, by name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.equations import EQUATIONS
from hlgnn.experiments.figure2 import FIGURE2
from hlgnn.experiments.figure3 import FIGURE3
from hlgnn.experiments.figure4 import FIGURE4
from hlgnn.experiments.figure5 import FIGURE5
from hlgnn.experiments.figure6 import FIGURE6
from hlgnn.experiments.operators import OPERATORS_EXPERIMENT
from hlgnn.experiments.protocols import PROTOCOLS_EXPERIMENT
from hlgnn.experiments.quality import QUALITY
from hlgnn.experiments.table1 import TABLE1
from hlgnn.experiments.table2 import TABLE2
from hlgnn.experiments.table3 import TABLE3
from hlgnn.experiments.table4 import TABLE4
from hlgnn.experiments.table5 import TABLE5
from hlgnn.experiments.table6 import TABLE6
from hlgnn.experiments.table7 import TABLE7
from hlgnn.experiments.table8 import TABLE8
from hlgnn.experiments.table9 import TABLE9
from hlgnn.experiments.table10 import TABLE10
from hlgnn.experiments.table11 import TABLE11
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from hlgnn.experiments.experiment import Experiment

EXPERIMENTS: Registry[Experiment] = Registry(
    "experiment",
    {
        each.name: each
        for each in (
            TABLE1,
            TABLE2,
            TABLE3,
            TABLE4,
            TABLE5,
            TABLE6,
            TABLE7,
            TABLE8,
            TABLE9,
            TABLE10,
            TABLE11,
            FIGURE2,
            FIGURE3,
            FIGURE4,
            FIGURE5,
            FIGURE6,
            EQUATIONS,
            OPERATORS_EXPERIMENT,
            PROTOCOLS_EXPERIMENT,
            QUALITY,
        )
    },
)
