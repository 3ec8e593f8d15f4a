"""A linear encoder as it looks from one link: rows of H, the input, and what stands before the head."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import torch

from hlgnn.errors import SettingsError
from hlgnn.graph import Adjacency
from hlgnn.interpret.learned_heuristic import learned_heuristic
from hlgnn.interpret.link_input import LinkInput, link_input
from hlgnn.interpret.link_rows import full_rows, unit_rows
from hlgnn.interpret.link_view import LinkView
from hlgnn.models import HLGNN, CosineHead, DiagonalHead, LinkModel, ResidualHead
from hlgnn.models.frozen_encoder import FrozenEncoder
from hlgnn.models.propagation import Propagation

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation import Formulation
    from hlgnn.graph import Graph

Kind = Literal["dot", "cosine", "diagonal"]
# Shorter vectors are not scaled to length one, as in torch.
SHORTEST = 1e-12


@dataclass(frozen=True, eq=False)
class LinkEncoder:
    """Z = H X on one message graph (Proposition 4.1), in double precision.

    Attributes:
        model: Whose head applies.
        graph: The message graph.
        formulation: H.
        input: X.
        centre: Whether Z gets the mean zero over all nodes.
    """

    model: HLGNN | FrozenEncoder
    graph: Graph
    formulation: Formulation
    input: LinkInput
    centre: bool

    @property
    def kind(self) -> Kind:
        """What is decomposed: a cosine, a weighted or a plain dot product of z_i and z_j."""
        if isinstance(self.model.head, CosineHead | ResidualHead):
            return "cosine"
        return "diagonal" if isinstance(self.model.head, DiagonalHead) else "dot"

    @cached_property
    def view(self) -> LinkView | None:
        """What numbers of pairs are computed from, if the head can read any."""
        return LinkView(self.model, self.graph) if isinstance(self.model, HLGNN) else None

    def starts(self, nodes: tuple[int, ...]) -> Tensor:
        """What rows at these nodes start from.  (N, Q)"""
        return unit_rows(self.formulation, self.graph, nodes, centre=self.centre)

    def without(self, first: int, second: int) -> LinkEncoder:
        """The same model on the graph without one link."""
        graph = without_link(self.graph, first, second)
        return LinkEncoder(self.model, graph, _formulation(self.model, graph), self.input, self.centre)


@dataclass(frozen=True, eq=False)
class LinkEnds:
    """Both ends of a link.

    Attributes:
        rows: H_i and H_j, measured from the mean row if Z is centred.  (N, 2)
        z: z_i and z_j.  (2, F)
        metric: What each column counts in the score before the head.  (F,)
        length: |z_i| |z_j| if the score is a cosine, else one.
    """

    rows: Tensor
    z: Tensor
    metric: Tensor
    length: float

    @property
    def score(self) -> float:
        """⟨z_i, z_j⟩ before the head, as a cosine or with weights if the head has it so."""
        return float((self.z[0] * self.metric) @ self.z[1]) / self.length

    @property
    def directions(self) -> Tensor:
        """What z_i, and what z_j, is multiplied with to give the score.  (2, F)"""
        return self.z.flip(0) * self.metric / self.length


def link_encoder(model: LinkModel[Any, Any], graph: Graph) -> LinkEncoder:
    """The linear encoder of a model on a message graph.

    Raises:
        SettingsError: If orders cannot be separated, or the graph does not fit the model.
    """
    if not isinstance(model, HLGNN | FrozenEncoder):
        raise SettingsError(
            "Links are explained for HL-GNN and heads on a fixed formulation: other methods have no separate orders.",
            hint="Train with --model hlgnn; 'hlgnn report RUN' states common neighbours for the links of any method.",
        )
    if isinstance(model, HLGNN):
        model.check(graph)
        if not isinstance(model.propagation, Propagation):
            raise SettingsError(
                "Orders cannot be separated: a matrix or an activation stands between the layers.",
                where="propagation",
                hint="Train with transformation = false and activation = 'none'.",
            )
    elif model.preparation is not None and graph.features is None:
        raise SettingsError("The model reads node features, and the graph has none.", hint="Give a features file.")
    centre = model.settings.propagation.centre if isinstance(model, HLGNN) else model.settings.centre
    return LinkEncoder(model, graph, _formulation(model, graph), link_input(model, graph), centre)


def without_link(graph: Graph, first: int, second: int) -> Graph:
    """The graph without one of its links; nothing but its two stored edges is touched."""
    adjacency = graph.adjacency
    edges = adjacency.find_edges(torch.tensor([[first, second], [second, first]]))
    keep = torch.ones(adjacency.num_edges, dtype=torch.bool)
    keep[edges[edges >= 0]] = False
    gone = torch.zeros_like(adjacency.offset)
    if int(edges[0]) >= 0:
        gone[first + 1 :] += 1
        gone[second + 1 :] += 1
    weight = None if adjacency.weight is None else adjacency.weight[keep]
    return replace(graph, adjacency=Adjacency(adjacency.offset - gone, adjacency.neighbor[keep], weight))


def link_ends(encoder: LinkEncoder, first: int, second: int) -> LinkEnds:
    """Rows of H and of Z at both ends, from two sparse vectors (Eq. 1)."""
    rows = full_rows(encoder.formulation, encoder.graph, encoder.starts((first, second)))  # (N, 2)
    z = encoder.input.hidden(rows)  # (2, F)
    head = encoder.model.head
    metric = torch.ones(z.shape[1], dtype=torch.float64)
    if isinstance(head, DiagonalHead):
        metric = head.weight.detach().double()
    length = 1.0
    if encoder.kind == "cosine":
        length = float(z.norm(dim=1).clamp(min=SHORTEST).prod())
    return LinkEnds(rows, z, metric, length)


def _formulation(model: HLGNN | FrozenEncoder, graph: Graph) -> Formulation:
    return model.formulation if isinstance(model, FrozenEncoder) else learned_heuristic(model, graph)
