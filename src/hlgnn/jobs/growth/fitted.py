"""Coefficients of the growth model: fitted on measurements, kept in a file, scaled to another machine."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace
from importlib import resources
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.optimize import nnls

from hlgnn.jobs.growth.terms import NAMES, terms
from hlgnn.models.memory_estimate import training_use
from hlgnn.models.memory_plan import MemoryPlan

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.jobs.growth.step_size import StepSize

FILE = "coefficients.json"
SPACE = ("process", "links", "nodes", "vectors")
PLAIN = MemoryPlan()
"""How a model works that was given no budget."""


@dataclass(frozen=True)
class Measured:
    """What a size took.

    Attributes:
        size: The size.
        seconds: A step.
        built: Bytes at most while graph and model were made.
        base: Bytes that the process had when they were made: the program, the graph, the links to learn, the model.
        peak: Bytes at most while it trained.
    """

    size: StepSize
    seconds: float
    built: int
    base: int
    peak: int

    def document(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)


@dataclass(frozen=True)
class Fitted:
    """The growth model.

    Attributes:
        seconds: The coefficient of each term of the time, in seconds.
        built: Bytes while graph and model are made: of the program, for each link, node and byte of a vector.
        base: The same once they are made.
        sum_seconds: What the sum of a byte over two processes takes here, which share a machine.
        threads: On how many processors it was measured.
        scale: How much longer another machine takes.
    """

    seconds: dict[str, float]
    built: dict[str, float]
    base: dict[str, float]
    sum_seconds: float
    threads: int
    scale: float = 1.0

    def step_seconds(self, size: StepSize) -> float:
        """How long a step takes."""
        return self.scale * sum(self.seconds[name] * value for name, value in terms(size).items())

    def base_bytes(self, size: StepSize) -> int:
        """What a process has before it trains."""
        return _weighted(self.base, size)

    def built_bytes(self, size: StepSize) -> int:
        """What it had at most until then."""
        return _weighted(self.built, size)

    def peak_bytes(self, size: StepSize, plan: MemoryPlan = PLAIN) -> int:
        """What it has at most."""
        return max(self.built_bytes(size), self.base_bytes(size) + training_use(size.work, plan).bytes)

    def scaled(self, ratio: float) -> Fitted:
        """For a machine that takes ``ratio`` times as long."""
        return replace(self, scale=self.scale * ratio)

    def document(self) -> dict[str, Any]:
        """As the file holds it."""
        return {
            "threads": self.threads,
            "seconds": self.seconds,
            "built_bytes": self.built,
            "base_bytes": self.base,
            "sum_seconds": self.sum_seconds,
        }


def fit(measured: Sequence[Measured], sum_seconds: float, threads: int) -> Fitted:
    """The coefficients, none negative, with the least sum of squared relative errors."""
    rows = np.array([[terms(each.size).get(name, 0.0) for name in NAMES] for each in measured])
    space = np.array([_space(each.size) for each in measured])
    seconds = _least(rows, np.array([each.seconds for each in measured]))
    built, base = (
        dict(zip(SPACE, _least(space, np.array(values, dtype=float)), strict=True))
        for values in ([each.built for each in measured], [each.base for each in measured])
    )
    return Fitted(dict(zip(NAMES, seconds, strict=True)), built, base, sum_seconds, threads)


def load_fitted() -> Fitted:
    """The model that comes with the package."""
    text = resources.files("hlgnn.jobs.growth").joinpath(FILE).read_text(encoding="utf-8")
    values = json.loads(text)
    return Fitted(
        values["seconds"], values["built_bytes"], values["base_bytes"], values["sum_seconds"], values["threads"]
    )


def _space(size: StepSize) -> tuple[float, ...]:
    return 1.0, float(size.links), float(size.nodes), 4.0 * size.nodes * size.width


def _weighted(coefficients: dict[str, float], size: StepSize) -> int:
    return int(sum(coefficients[name] * value for name, value in zip(SPACE, _space(size), strict=True)))


def _least(rows: Any, values: Any) -> list[float]:
    """Min ‖(R c − v) / v‖ with c ≥ 0; columns are brought to one size first."""
    relative = rows / values[:, None]
    norm = np.linalg.norm(relative, axis=0)
    scale = np.where(norm > 0, norm, 1.0)
    found, _ = nnls(relative / scale, np.ones(len(values)))
    return [float(each) for each in found / scale]
