"""Worlds with known truth: a list of candidates in which links are hidden, some of them held out."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from hlgnn.formulation import RankedLinks


class World(NamedTuple):
    """All candidates of a made-up graph, best first.

    Attributes:
        pairs: The candidates.  (C, 2)
        scores: Descending.  (C,)
        held_out: Which of them are held-out links.  (C,)
        missing: Which of them are missing links.  (C,)
    """

    pairs: Tensor
    scores: Tensor
    held_out: Tensor
    missing: Tensor

    def ranked(self, count: int) -> RankedLinks:
        return RankedLinks(self.pairs[:count], self.scores[:count])

    @property
    def links(self) -> Tensor:
        return self.pairs[self.held_out]

    def truth(self, k: int) -> int:
        """Missing links among the best k candidates that are not held out."""
        return int(self.missing[~self.held_out][:k].sum())


def seeded(seed: int) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


def make_world(chance: Tensor, num_held_out: int, num_missing: int, generator: torch.Generator) -> World:
    """Hidden links are drawn by rank with weights ``chance`` (C,), and held out or missing at random."""
    count = len(chance)
    hidden = torch.multinomial(chance, num_held_out + num_missing, generator=generator)  # without return
    hidden = hidden[torch.randperm(len(hidden), generator=generator)]
    held_out, missing = torch.zeros(count, dtype=torch.bool), torch.zeros(count, dtype=torch.bool)
    held_out[hidden[:num_held_out]] = True
    missing[hidden[num_held_out:]] = True
    pairs = torch.stack([torch.arange(count), torch.arange(count) + count], dim=1)
    return World(pairs, torch.linspace(4, -4, count, dtype=torch.float64), held_out, missing)


def falling(count: int, steepness: float) -> Tensor:
    """Weights that fall with the rank as a power of it."""
    return (torch.arange(count, dtype=torch.float64) + 50) ** -steepness
