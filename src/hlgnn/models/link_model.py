"""The contract of a link predictor."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, Generic, TypeVar, cast

import torch
from torch import nn

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph
    from hlgnn.models.columns import Columns
    from hlgnn.models.product_form import ProductForm

Prepared = TypeVar("Prepared")
State = TypeVar("State")


class LinkModel(nn.Module, ABC, Generic[Prepared, State]):
    """A link predictor. Everything that trains, evaluates or ranks links uses these three methods only.

    Nothing about a graph is kept in the model, so that one model can serve several message graphs at once: the one of
    the test, or one for each fold of links that are hidden while they are predicted.
    """

    reads_batch: bool = False
    """Whether, in training, a score depends on the other pairs that are scored with it."""
    pairs_at_once: int = 1 << 16
    """How many pairs are scored in one call where many are; more where a call bounds its own memory."""

    @abstractmethod
    def prepare(self, graph: Graph) -> Prepared:
        """What is done once for each message graph, without gradients; often the graph itself."""

    @abstractmethod
    def encode(self, prepared: Prepared) -> State:
        """What does not depend on the pairs: representations of nodes, or what was prepared."""

    @abstractmethod
    def score(self, state: State, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""

    def trained_scores(self, state: State, pairs: Tensor) -> tuple[Tensor, ...]:
        """Logits whose losses are added up in training: the score alone, unless a method learns from its parts too."""
        return (self.score(state, pairs),)

    def encoded(self, state: State) -> tuple[Tensor, ...] | None:
        """The tensors of a state, one row for each node, through which scores reach what ``encode`` has learned from.

        Large batches are then learned from in parts. ``None`` leaves them whole, as it does by default unless the state
        is one table. Whoever gives others also says how to put them back, by ``with_encoded``.
        """
        return (state,) if isinstance(state, torch.Tensor) and state.dim() == 2 else None

    def with_encoded(self, state: State, tensors: tuple[Tensor, ...]) -> State:
        """The state with others in the place of those that ``encoded`` gave."""
        del state
        return cast("State", tensors[0])

    def product_form(self, state: State) -> ProductForm | None:
        """The scores of all pairs as a matrix product, if that is what they are."""
        del state
        return None

    def score_rows(self, state: State, nodes: Tensor, num_nodes: int) -> Tensor:
        """The logits of some nodes with all nodes, themselves included.  (R,) -> (R, N)"""
        form = self.product_form(state)
        if form is not None:
            return form.rows(nodes)
        return self.score(state, torch.cartesian_prod(nodes, torch.arange(num_nodes))).view(len(nodes), num_nodes)

    def expect(self, pairs: int) -> None:
        """Be told how many pairs a step of training scores: a model may then encode no more than these need."""
        del pairs

    def remember(self, prepared: Prepared, most: int) -> None:
        """Keep up to so many bytes of what is computed of pairs: the same ones will be scored for many epochs."""
        del prepared, most

    @property
    def choices(self) -> int:
        """How many versions of the model there are to choose from on the validation links, where nothing is learned."""
        return 1

    def choose(self, number: int) -> None:
        """Use the version with this number; it belongs to the state of the model."""
        del number

    def slow_parameters(self) -> list[nn.Parameter]:
        """Parameters that learn with a rate of their own: β and α of HL-GNN. None by default."""
        return []

    def column_shares(self) -> dict[str, tuple[int, Columns]]:
        """Weights of which this process holds a part: the dimension that is shared out, and who holds what of it."""
        return {}

    def parameters_of_columns(self) -> list[nn.Parameter]:
        """Parameters that every process holds, but has only its columns' part of the gradient of."""
        return []
