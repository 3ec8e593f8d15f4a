"""What there is to know about a method: its name, its settings, how it is built."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    from hlgnn.graph import Graph
    from hlgnn.models.link_model import LinkModel
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
    """

    name: str
    title: str
    settings: type[Settings]
    build: Callable[[Graph, Any, torch.Generator], LinkModel[Any, Any]]
    citation: str
