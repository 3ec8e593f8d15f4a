"""NBFNet behind the contract of link predictors (Zhu et al. 2021), for one relation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, final

import torch
from torch import Tensor, nn

from hlgnn.baselines.nbfnet.layer import BellmanFordLayer
from hlgnn.baselines.nbfnet.pattern import Pattern, background_pattern
from hlgnn.baselines.nbfnet.reach import Queries, find_reach, group_by_source
from hlgnn.baselines.nbfnet.settings import NBFNetSettings
from hlgnn.graph.threads import spans
from hlgnn.models.card import ModelCard
from hlgnn.models.initialization import linear
from hlgnn.models.link_model import LinkModel
from hlgnn.models.rows import take_rows

if TYPE_CHECKING:
    from hlgnn.graph import Graph

# Evaluation takes as many sources at once as could have this many states in one step.
STATES_AT_ONCE = 1 << 18


@dataclass(frozen=True, eq=False)
class Messages:
    """A message graph.

    Attributes:
        graph: Its links.
        pattern: Who sends to whom where no source is near.
        scale: The logarithm of the number of messages that a node receives, over its mean.  (N,)
    """

    graph: Graph
    pattern: Pattern
    scale: Tensor


@dataclass(frozen=True, eq=False)
class NBFNetState:
    """A message graph, and the states of its nodes without a source, before and after every step.  (N, D) each"""

    messages: Messages
    background: list[Tensor] | None


@final
class NBFNet(LinkModel[Messages, NBFNetState]):
    """States of one end in the recursion that starts at the other, averaged over both directions.

    In training, links among the pairs that are scored together are removed first; features are not read.
    """

    reads_batch = True

    def __init__(self, graph: Graph, settings: NBFNetSettings, generator: torch.Generator) -> None:
        super().__init__()
        del graph
        self.settings = settings
        width = settings.width
        self.query = nn.Parameter(torch.randn(width, generator=generator))  # (D,)
        self.layers = nn.ModuleList(BellmanFordLayer(settings, generator) for _ in range(settings.layers))
        self.hidden = linear(2 * width, 2 * width, generator)
        self.last = linear(2 * width, 1, generator)

    def prepare(self, graph: Graph) -> Messages:
        """Who sends to whom."""
        pattern = background_pattern(graph.adjacency, self_loops=self.settings.self_loops)
        degree = torch.from_numpy(pattern.offset).diff().double().log()
        return Messages(graph, pattern, (degree / degree.mean().clamp(min=1e-6)).to(self.query.dtype))

    def encode(self, prepared: Messages) -> NBFNetState:
        """The background, which is of no use in training, where every batch has a graph of its own."""
        return NBFNetState(prepared, None if self.training else self._background(prepared))

    def score(self, state: NBFNetState, pairs: Tensor) -> Tensor:
        """The logit of every pair, the same for both directions.  (P, 2) -> (P,)"""
        if len(pairs) == 0:
            return self.query.new_zeros(0)
        messages, background = state.messages, state.background
        if self.training:
            messages, background = self.prepare(messages.graph.without_links(pairs)), None
        if background is None:
            background = self._background(messages)
        states = self.pair_states(messages, background, pairs)
        read = torch.cat([states, self.query.expand(len(pairs), -1)], dim=1)  # (P, 2 D)
        score: Tensor = self.last(torch.relu(self.hidden(read))).squeeze(-1)
        return score

    def pair_states(self, messages: Messages, background: list[Tensor], pairs: Tensor) -> Tensor:
        """h_j from i and h_i from j, averaged.  (P, 2) -> (P, D)"""
        queries, order = group_by_source(torch.cat([pairs, pairs.flip(1)]))
        sources = len(queries.sources)
        at_once = sources if self.training else max(1, STATES_AT_ONCE // messages.graph.num_nodes)
        ranges = spans(sources, -(-sources // at_once))
        states = torch.cat([self._ends(messages, background, queries.part(*each)) for each in ranges])  # (2 P, D)
        back = torch.empty(len(order), dtype=torch.int64)
        back[torch.from_numpy(order)] = torch.arange(len(order))
        there, here = take_rows(states, back).chunk(2)
        both: Tensor = (there + here) / 2
        return both

    def _ends(self, messages: Messages, background: list[Tensor], queries: Queries) -> Tensor:
        """The last state of every target.  -> (targets, D)"""
        adjacency, loops = messages.graph.adjacency, self.settings.self_loops
        reach = find_reach(adjacency, queries, self.settings.layers, self_loops=loops)
        states = self.query.expand(reach.num_sources, -1)
        for layer, around, pattern in zip(self.layers, background, reach.steps, strict=False):
            states = layer(torch.cat([around, states]), self.query, pattern, messages.scale)
        return take_rows(torch.cat([background[-1], states]), reach.found)

    def _background(self, messages: Messages) -> list[Tensor]:
        """States of all nodes when none is a source, before the first step and after each.  [(N, D), …]"""
        states = [self.query.new_zeros(messages.graph.num_nodes, self.settings.width)]
        for layer in self.layers:
            states.append(layer(states[-1], self.query, messages.pattern, messages.scale))
        return states


CARD = ModelCard(
    name="nbfnet",
    title="NBFNet",
    settings=NBFNetSettings,
    build=NBFNet,
    citation="Zhu et al., NeurIPS 2021",
    hides_target=True,
)
