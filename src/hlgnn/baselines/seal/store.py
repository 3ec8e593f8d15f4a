"""A message graph with the subgraphs that have been taken from it."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hlgnn.baselines.seal.subgraphs import Subgraphs, extract

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.baselines.seal.settings import EnclosingSettings
    from hlgnn.graph import Features
    from hlgnn.graph.adjacency import Adjacency


@dataclass(eq=False)
class SubgraphStore:
    """What ``prepare`` makes of a message graph.

    Attributes:
        adjacency: Its links.
        features: Its features, if they are read.
        settings: Which subgraph encloses a pair.
        limit: Bytes to keep at most; those used longest ago go first.
    """

    adjacency: Adjacency
    features: Features | None
    settings: EnclosingSettings
    limit: int
    _kept: OrderedDict[bytes, Subgraphs] = field(default_factory=OrderedDict)
    _bytes: int = 0

    def extract(self, pairs: Tensor, *, keep: bool) -> Subgraphs:
        """The subgraphs of some pairs, from memory if the same pairs were kept before.  (P, 2)"""
        if not keep or self.limit == 0:
            return extract(self.adjacency, pairs, self.settings)
        key = pairs.contiguous().numpy().tobytes()
        found = self._kept.pop(key, None)
        if found is None:
            found = extract(self.adjacency, pairs, self.settings)
            self._bytes += found.bytes + len(key)
        self._kept[key] = found
        while self._bytes > self.limit:
            old, gone = self._kept.popitem(last=False)
            self._bytes -= gone.bytes + len(old)
        return found
