"""A graph cut into links to learn from and links to be tested on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.errors import SplitError

if TYPE_CHECKING:
    from collections.abc import Iterator

    import torch
    from torch import Tensor

    from hlgnn.graph import Graph


@dataclass(frozen=True, eq=False)
class LinkSet:
    """Positive links and the negatives that they are ranked among.

    Attributes:
        positive: Links that exist.  (P, 2)
        negative: Pairs that are no links: shared by all positives (Q, 2), or each positive's own (P, K, 2).
    """

    positive: Tensor
    negative: Tensor

    def __post_init__(self) -> None:
        if self.negative.ndim not in (2, 3) or self.negative.shape[-1] != 2:
            raise SplitError(f"Negative pairs have the shape (Q, 2) or (P, K, 2), not {tuple(self.negative.shape)}.")
        self._check()

    def _check(self) -> None:
        if self.positive.ndim != 2 or self.positive.shape[1] != 2:
            raise SplitError(f"Positive links have the shape (P, 2), not {tuple(self.positive.shape)}.")
        rows = self.negative_shape[0]
        if self.own_negatives and rows != len(self.positive):
            raise SplitError(f"{len(self.positive)} positives cannot have {rows} rows of own negatives.")

    @property
    def negative_shape(self) -> torch.Size:
        """(Q,) for negatives that all positives share, (P, K) for each positive's own."""
        return self.negative.shape[:-1]

    @property
    def own_negatives(self) -> bool:
        """Whether each positive has its own negatives."""
        return len(self.negative_shape) == 2

    @property
    def negatives_per_ranking(self) -> int:
        """How many negatives a positive is ranked among."""
        return self.negative_shape[-1]

    def own_blocks(self, pairs: int) -> Iterator[Tensor]:
        """The own negatives of some positives after the other, about ``pairs`` of them at a time.  -> (B, K, 2)"""
        rows = max(1, pairs // max(1, self.negatives_per_ranking))
        for start in range(0, len(self.positive), rows):
            yield self.own_rows(start, start + rows)

    def own_rows(self, start: int, stop: int) -> Tensor:
        """The own negatives of some positives.  -> (B, K, 2)"""
        return self.negative[start:stop]


@dataclass(frozen=True, eq=False)
class Split:
    """Message graphs and the links of each part, under a named protocol.

    Attributes:
        protocol: The name of the protocol that made it.
        seed: What it was drawn from, or ``None`` for an official split.
        graph: Links that are visible while training and validating.
        test_graph: Links that are visible when testing: the same, or with the validation links.
        train: Links to learn from.  (T, 2)
        margin: γ_ij of Eq. 4 for each of ``train``, ones unless links carry weights.  (T,)
        valid: Links to select by.
        test: Links to report on.
    """

    protocol: str
    seed: int | None
    graph: Graph
    test_graph: Graph
    train: Tensor
    margin: Tensor
    valid: LinkSet
    test: LinkSet

    def __post_init__(self) -> None:
        if len(self.margin) != len(self.train):
            raise SplitError(f"There are {len(self.train)} training links, but {len(self.margin)} margins.")
        if self.graph.num_nodes != self.test_graph.num_nodes:
            raise SplitError("The message graphs of training and testing have different nodes.")
