"""Which links are predicted from which message graph: none of them may be in it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hlgnn.data import Split
    from hlgnn.graph import Graph
    from hlgnn.models import LinkModel
    from hlgnn.training.train_settings import TrainSettings


class HiddenTargets:
    """Prepared message graphs and the training links to predict from each, for one epoch after the other.

    Args:
        model: Who prepares message graphs.
        split: Whose training links are predicted.
        settings: ``hide``, ``folds``, ``used_folds`` and ``hide_share``.
        generator: Draws the folds, once; the same state gives the same folds.
    """

    def __init__(
        self, model: LinkModel[Any, Any], split: Split, settings: TrainSettings, generator: torch.Generator
    ) -> None:
        self.model, self.split, self.settings = model, split, settings
        self.whole = model.prepare(split.graph)
        count = len(split.train)
        self.fixed: list[tuple[Any, Graph, Tensor]] = []
        if settings.hide == "none":
            self.fixed = [(self.whole, split.graph, torch.arange(count))]
        elif settings.hide == "folds":
            order = torch.randperm(count, generator=generator)
            parts = [part for part in order.tensor_split(settings.folds) if len(part)][: settings.learned_folds]
            graphs = [self._without(part) for part in parts]
            self.fixed = [(model.prepare(graph), graph, part) for graph, part in zip(graphs, parts, strict=True)]

    def epoch(self, generator: torch.Generator) -> Iterator[tuple[Any, Graph, Tensor]]:
        """What ``prepare`` made of a message graph, the graph, positions of the training links to predict; shuffled."""
        if self.settings.hide == "fraction":
            count = len(self.split.train)
            hidden = torch.randperm(count, generator=generator)[: max(1, round(self.settings.hide_share * count))]
            graph = self._without(hidden)
            yield self.model.prepare(graph), graph, hidden
            return
        if self.settings.hide == "batch":
            order = torch.randperm(len(self.split.train), generator=generator)
            for hidden in order.split(self.settings.batch_size):
                graph = self._without(hidden)
                yield self.model.prepare(graph), graph, hidden
            return
        for position in torch.randperm(len(self.fixed), generator=generator).tolist():
            yield self.fixed[position]

    def _without(self, hidden: Tensor) -> Graph:
        """The message graph of training without these training links."""
        return self.split.graph.without_links(self.split.train[hidden])
