"""The contract of a link predictor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar

from torch import nn

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph

Prepared = TypeVar("Prepared")
State = TypeVar("State")


class LinkModel(nn.Module, ABC, Generic[Prepared, State]):
    """A link predictor. Everything that trains, evaluates or ranks links uses these three methods only.

    Nothing about a graph is kept in the model, so that one model can serve several message graphs at once: the one of
    the test, or one for each fold of links that are hidden while they are predicted.
    """

    @abstractmethod
    def prepare(self, graph: Graph) -> Prepared:
        """What is done once for each message graph, without gradients; often the graph itself."""

    @abstractmethod
    def encode(self, prepared: Prepared) -> State:
        """What does not depend on the pairs: representations of nodes, or what was prepared."""

    @abstractmethod
    def score(self, state: State, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""

    def slow_parameters(self) -> list[nn.Parameter]:
        """Parameters that learn with a rate of their own: β and α of HL-GNN. None by default."""
        return []
