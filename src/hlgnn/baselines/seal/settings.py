"""What can be chosen about SEAL."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hlgnn.models.settings import Share, Width  # noqa: TC001 - pydantic reads them
from hlgnn.settings import Settings


class EnclosingSettings(Settings):
    """Which subgraph encloses a pair.

    Attributes:
        hops: How far from either end its nodes are, at most.
        ratio_per_hop: Which share of the nodes that a hop finds is kept, rounded down; the others never come back.
        max_nodes_per_hop: How many nodes a hop keeps at most; 0 is all.
        seed: What the choice of kept nodes depends on, beside the pair and the nodes.
    """

    hops: Annotated[int, Field(ge=1, le=100)] = 1
    ratio_per_hop: Annotated[float, Field(gt=0.0, le=1.0)] = 1.0
    max_nodes_per_hop: Annotated[int, Field(ge=0)] = 0
    seed: Annotated[int, Field(ge=0, lt=1 << 63)] = 0


class SealSettings(Settings):
    """Enclosing subgraphs, and DGCNN on them.

    Attributes:
        enclosing: The subgraph of a pair.
        features: Whether node features are read beside labels, if there are any.
        feature_dropout: The share of the entries of features that are dropped in training.
        hidden: The width of labels' vectors and of each convolution.
        layers: How many convolutions there are before the one of width one that nodes are sorted by.
        labels: How many labels have a vector of their own; larger ones share the last.
        pooled: How many nodes of a subgraph are read; a share below one is that quantile of the sizes of subgraphs in
            the graph to learn on, and at least ten.
        ends: Whether the product of the states of both ends is read beside the sorted nodes.
        dropout: The share of the last hidden units that are dropped in training.
        cache: Bytes that the subgraphs of one message graph may take from one evaluation to the next; 0 extracts them
            every time.
    """

    enclosing: EnclosingSettings = EnclosingSettings()
    features: Literal["auto", "none"] = "auto"
    feature_dropout: Share = 0.0
    hidden: Width = 32
    layers: Annotated[int, Field(ge=1, le=16)] = 3
    labels: Annotated[int, Field(ge=2)] = 1000
    pooled: Annotated[float, Field(gt=0.0)] = 0.6
    ends: bool = False
    dropout: Share = 0.5
    cache: Annotated[int, Field(ge=0)] = 1 << 29
