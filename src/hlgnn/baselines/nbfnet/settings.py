"""What can be chosen about NBFNet."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hlgnn.models.settings import Width  # noqa: TC001 - pydantic reads it
from hlgnn.settings import Settings


class NBFNetSettings(Settings):
    """The generalised Bellman–Ford recursion (Zhu et al. 2021, Eq. 6 and Algorithm 1).

    Attributes:
        width: The width of the state of a node.
        layers: How many steps the recursion has; paths are at most as long.
        aggregate: How messages are put together: ``pna`` is the mean, largest, smallest and standard deviation, each
            also scaled by the logarithm of the degree and by its inverse; or one of these and the sum alone.
        self_loops: Whether every node also sends a message to itself.
        layer_norm: Whether the state of each node is normalised in every step.
        short_cut: Whether a step adds to the state that it starts from.
    """

    width: Width = 32
    layers: Annotated[int, Field(ge=1, le=64)] = 6
    aggregate: Literal["pna", "sum", "mean", "max", "min"] = "pna"
    self_loops: bool = True
    layer_norm: bool = True
    short_cut: bool = True
