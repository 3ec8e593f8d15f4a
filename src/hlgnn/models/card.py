"""What there is to know about a method: its name, its settings, how it is built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    from hlgnn.graph import Graph
    from hlgnn.models.link_model import LinkModel
    from hlgnn.processes import Group
    from hlgnn.settings import Settings


@dataclass(frozen=True)
class ModelCard:
    """A method by name.

    Attributes:
        name: What it is called on the command line.
        title: What it is called in tables.
        settings: The type of its settings.
        build: (graph to learn on, settings, generator) -> the model.
        citation: Where it comes from.
        symmetric: Whether (i, j) and (j, i) have the same score.
        hides_target: Whether, in training, the score of a pair does not depend on whether the pair is a link.
        by_place: Whether something is learned for each node by its place in the graph, so that it knows no new nodes
            and depends on how nodes are numbered.
        needs_features: Whether it reads node features.
        learns: Whether it is trained, by more than a choice between a few values.
        columns: Whether processes can hold some columns of its representations each; ``build`` then takes their group.
        presets_of: The method whose presets it takes; its own by default.
    """

    name: str
    title: str
    settings: type[Settings]
    build: Callable[..., LinkModel[Any, Any]]
    citation: str
    symmetric: bool = True
    hides_target: bool = False
    by_place: bool = False
    needs_features: bool = False
    learns: bool = True
    columns: bool = False
    presets_of: str = ""

    def build_for(
        self, graph: Graph, settings: Settings, generator: torch.Generator, columns: Group
    ) -> LinkModel[Any, Any]:
        """The model of a process that holds its share of the columns, or all of them.

        Raises:
            SettingsError: If columns cannot be shared.
        """
        if columns.alone:
            return self.build(graph, settings, generator)
        if not self.columns:
            raise SettingsError(
                f"Processes cannot share the columns of {self.title}.", where="--shard", hint="Use --shard pairs."
            )
        return self.build(graph, settings, generator, columns)
