"""The sizes that a step of training grows with, and what a process of several has of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from hlgnn.models.memory_estimate import WorkSizes

EVALUATED = 100_000
"""Pairs that epochs are compared by; few beside those of a batch."""

Kind = Literal["sym", "mixture"]
KINDS: tuple[Kind, ...] = ("sym", "mixture")


@dataclass(frozen=True)
class StepSize:
    """One step of training HL-GNN with a learned vector for each node and a perceptron of two layers.

    Attributes:
        nodes: N.
        links: M.
        width: F, the columns of a vector.
        depth: L.
        operators: One fixed operator, or a learned mixture for each layer.
        batch: Positive links of a step; as many negatives come beside them.
        hidden: The width of the perceptron.
    """

    nodes: int
    links: int
    width: int
    depth: int
    operators: Kind = "sym"
    batch: int = 65_536
    hidden: int = 256

    @property
    def pairs(self) -> int:
        """Pairs that are scored in a step."""
        return 2 * min(self.batch, self.links)

    @property
    def steps(self) -> int:
        """Steps of an epoch."""
        return -(-self.links // self.batch)

    @property
    def common_parameters(self) -> int:
        """Numbers that every process learns, whoever holds the columns: β, α, and what reads the sum over columns."""
        return 2 * self.hidden + 1 + self.depth + 1 + (3 * self.depth if self.operators == "mixture" else 0)

    @property
    def parameters(self) -> int:
        """Numbers that are learned: a vector for each node, the first layer of the perceptron, and the common ones."""
        return (self.nodes + self.hidden) * self.width + self.common_parameters

    @property
    def work(self) -> WorkSizes:
        """As the estimate of memory asks."""
        return WorkSizes(
            nodes=self.nodes,
            links=self.links,
            input_width=self.width,
            width=self.width,
            embedding=self.width,
            linear=False,
            prepared=0,
            sparse=False,
            depth=self.depth,
            operators="fixed" if self.operators == "sym" else "mixture",
            unit=False,
            noise=0,
            head_hidden=self.hidden,
            head_layers=1,
            pairs=self.pairs,
            evaluated=min(EVALUATED, self.links),
            graphs=2,
            hidden_links=False,
            parameters=self.parameters,
        )

    def with_columns(self, processes: int) -> StepSize:
        """What one of several processes that share the columns works on: all pairs, some columns."""
        return replace(self, width=-(-self.width // processes))

    def with_pairs(self, processes: int) -> StepSize:
        """What one of several processes that share the pairs works on: all columns, some pairs."""
        return replace(self, batch=-(-min(self.batch, self.links) // processes))
