"""What can be chosen about BUDDY."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hlgnn.models.settings import Share, Width  # noqa: TC001 (read at run time)
from hlgnn.settings import Settings


class BuddySettings(Settings):
    """Counts of nodes around a pair, propagated features, and a linear layer on both.

    Attributes:
        counting: ``sketch`` estimates the counts from MinHash and HyperLogLog sketches, as BUDDY does; ``exact`` counts
            by merging sorted neighbourhoods, for small graphs. The two give different numbers.
        hops: K: how far neighbourhoods reach.
        permutations: How many MinHash values a sketch has.
        precision: p: a HyperLogLog sketch has 2^p registers.
        sketch_seed: What the MinHash permutations are drawn from.
        form: ``mended``, or ``published``, with the slips of the public program (see ``structure``).
        zero_one: Whether the head reads the nodes nearer than K to one end and farther than K from the other.
        normed: Whether it also reads all counts divided by √(d_i d_j).
        resource_allocation: Whether it also reads the resource allocation index of the pair.
        both_orders: Whether the counts are read as (i, j) and as (j, i) and the two readings averaged; otherwise as
            (i, j) with the smaller node first. Either way the score is symmetric.
        features: Whether node features are read, if there are any.
        tf_idf: Whether features that many nodes have count less; not the authors', as the next three.
        normalize: Whether rows of features are scaled to length one.
        centre: Whether columns of features get the mean zero.
        svd: The width that features are reduced to by their leading singular vectors; 0 leaves them as they are.
        sign_k: 0 reads A^steps X; k > 0 reads A^0 X … A^k X, each through a layer of its own (SIGN).
        steps: How often features are propagated where only one order is read; the authors have one.
        embedding: Whether a vector is learned for each node, and read as features are.
        embedding_width: How long it is.
        hidden: The width of everything that is learned about nodes.
        structure_dropout: The share of what was read of the counts that is dropped in training (label dropout).
        feature_dropout: The share of what was read of features and vectors that is dropped.
        sign_dropout: The share that is dropped of each propagated order, if there are several.
        products: What the products of two nodes and their layer's factors are rounded to in training; ``bfloat16`` is
            faster where the processor multiplies it.
    """

    counting: Literal["sketch", "exact"] = "sketch"
    hops: Literal[1, 2, 3] = 2
    permutations: Annotated[int, Field(ge=1, le=4096)] = 128
    precision: Annotated[int, Field(ge=4, le=16)] = 8
    sketch_seed: Annotated[int, Field(ge=0)] = 1
    form: Literal["mended", "published"] = "mended"
    zero_one: bool = False
    normed: bool = False
    resource_allocation: bool = False
    both_orders: bool = True
    features: bool = True
    tf_idf: bool = False
    normalize: bool = False
    centre: bool = False
    svd: Annotated[int, Field(ge=0, le=65_536)] = 0
    sign_k: Annotated[int, Field(ge=0, le=16)] = 0
    steps: Annotated[int, Field(ge=0, le=16)] = 1
    embedding: bool = False
    embedding_width: Width = 256
    hidden: Width = 1024
    structure_dropout: Share = 0.5
    feature_dropout: Share = 0.5
    sign_dropout: Share = 0.5
    products: Literal["float32", "bfloat16"] = "float32"
