"""Methods that give each node a vector and score a pair by the vectors of its ends."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

from torch import Tensor

from hlgnn.errors import SettingsError
from hlgnn.models.head import Head, MLPHead, ResidualHead, build_head, pair_logits
from hlgnn.models.link_model import LinkModel
from hlgnn.models.pair_reader import count_numbers

if TYPE_CHECKING:
    import torch

    from hlgnn.graph import Graph
    from hlgnn.models.product_form import ProductForm
    from hlgnn.models.settings import HeadSettings

Prepared = TypeVar("Prepared")


class VectorModel(LinkModel[Prepared, Tensor]):
    """f(z_i, z_j), where Z is what ``encode`` gives and f is ``self.head``."""

    head: Head

    def score(self, state: Tensor, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""
        return pair_logits(self.head, state, pairs)

    def product_form(self, state: Tensor) -> ProductForm | None:
        """Whatever head that is not a perceptron gives."""
        return None if isinstance(self.head, MLPHead | ResidualHead) else self.head.product_form(state)


def vector_head(width: int, settings: HeadSettings, generator: torch.Generator, noise: torch.Generator) -> Head:
    """A head that reads vectors only.

    Raises:
        SettingsError: If it is to read anything else about a pair.
    """
    if count_numbers(settings):
        raise SettingsError("This method reads vectors of nodes only.", where="head.pair_features, head.order_matrix")
    return build_head(width, settings, generator, noise)


def require_nodes(graph: Graph, count: int) -> None:
    """Refuse a graph with other nodes than those that have vectors.

    Raises:
        SettingsError: If there are more or fewer.
    """
    if graph.num_nodes != count:
        raise SettingsError(
            f"There are learned vectors for {count} nodes, but the graph has {graph.num_nodes}.",
            hint="A method that learns a vector for each node must be trained again when nodes are added.",
        )
