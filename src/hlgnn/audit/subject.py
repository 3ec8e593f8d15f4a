"""A split as the audit sees it: whatever made it, exactly as it was given."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Literal

import torch

from hlgnn.errors import SplitError

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import NodeIds
    from hlgnn.graph.graph import Features

PartName = Literal["train", "valid", "test"]
PART_NAMES: tuple[PartName, ...] = ("train", "valid", "test")


@dataclass(frozen=True, eq=False)
class Part:
    """One part of a split.

    Attributes:
        messages: The edges that are visible when this part is predicted, in either or both directions.  (E, 2)
        positive: The links to be predicted.  (P, 2)
        negative: The pairs they are ranked among, (Q, 2) or (P, K, 2), or ``None`` when they are drawn while training.
        weight: The weight of each message edge, if there is one.  (E,)
        positive_weight: The weight of each positive, if there is one.  (P,)
    """

    messages: Tensor
    positive: Tensor
    negative: Tensor | None = None
    weight: Tensor | None = None
    positive_weight: Tensor | None = None

    @property
    def negative_pairs(self) -> Tensor:
        """All negatives in one list.  (Q, 2)"""
        return torch.empty(0, 2, dtype=torch.int64) if self.negative is None else self.negative.reshape(-1, 2)


@dataclass(frozen=True, eq=False)
class Subject:
    """Everything an audit looks at.

    Attributes:
        name: What it is called.
        protocol: The protocol it claims to follow, if any.
        num_nodes: N.
        parts: The three parts.
        valid_links_at_test: Whether validation links may carry messages when testing; ``None`` if nothing is claimed.
        metric: The metric it is reported in, if known.
        features: Node features, if any.
        reference: Links with their true weights, if known: edges (E, 2) and weights (E,).
        node_ids: How the user calls the nodes, for examples.
    """

    name: str
    num_nodes: int
    parts: dict[PartName, Part]
    protocol: str | None = None
    valid_links_at_test: bool | None = None
    metric: str | None = None
    features: Features | None = None
    reference: tuple[Tensor, Tensor] | None = None
    node_ids: NodeIds | None = None

    def __post_init__(self) -> None:
        for name, part in self.parts.items():
            for what, pairs in [("edges", part.messages), ("links", part.positive), ("negatives", part.negative_pairs)]:
                if len(pairs) and not 0 <= int(pairs.min()) <= int(pairs.max()) < self.num_nodes:
                    raise SplitError(
                        f"Some {what} of the part {name!r} name nodes outside 0 … {self.num_nodes - 1}.",
                        where=self.name,
                        hint="Number the nodes from zero, and give the number of nodes of the whole graph.",
                    )

    def codes(self, pairs: Tensor) -> Tensor:
        """One number for each pair, the same for both directions.  (…, 2) -> (P,)"""
        flat = pairs.reshape(-1, 2).long()
        return flat.amin(dim=1) * self.num_nodes + flat.amax(dim=1)

    @cached_property
    def positive_codes(self) -> dict[PartName, Tensor]:
        """The positives of each part as codes."""
        return {name: self.codes(part.positive) for name, part in self.parts.items()}

    @cached_property
    def message_codes(self) -> dict[PartName, Tensor]:
        """The message edges of each part as distinct codes."""
        return {name: self.codes(part.messages).unique() for name, part in self.parts.items()}

    def examples(self, pairs: Tensor, limit: int = 3) -> tuple[tuple[str | int, str | int], ...]:
        """The first few pairs by the ids of their nodes."""
        shown = pairs[:limit].tolist()
        if self.node_ids is None:
            return tuple((i, j) for i, j in shown)
        return tuple((self.node_ids[i], self.node_ids[j]) for i, j in shown)
