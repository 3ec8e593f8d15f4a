"""A method for hlgnn: a learned weight of the degrees of both ends."""

import torch
from torch import Tensor, nn

from hlgnn.graph import Graph
from hlgnn.models import LinkModel, ModelCard
from hlgnn.settings import Settings


class DegreeSettings(Settings):
    """What can be set.

    Attributes:
        start: The weight at first.
    """

    start: float = 0.5


class DegreeProduct(LinkModel[Tensor, Tensor]):
    """w log (1 + d_i)(1 + d_j) + b: preferential attachment with a learned weight."""

    def __init__(self, graph: Graph, settings: DegreeSettings, generator: torch.Generator) -> None:
        super().__init__()
        del graph, generator  # nothing depends on the size of the graph, and nothing is drawn
        self.weight = nn.Parameter(torch.tensor(settings.start))
        self.shift = nn.Parameter(torch.tensor(0.0))

    def prepare(self, graph: Graph) -> Tensor:
        """Once for each message graph: the logarithm of every degree.  (N,)"""
        return torch.log1p(graph.degree.float())

    def encode(self, prepared: Tensor) -> Tensor:
        """Nothing more depends on nodes alone.  (N,)"""
        return prepared

    def score(self, state: Tensor, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""
        return self.weight * state[pairs].sum(dim=1) + self.shift


CARD = ModelCard(
    name="degree-product",
    title="Weighted degrees",
    settings=DegreeSettings,
    build=DegreeProduct,
    citation="Barabási and Albert, Science 1999",
)
