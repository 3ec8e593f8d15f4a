"""The rate of held-out links at a score: how many of them there are for each other candidate with that score.

Above, where candidates were ranked, places are gathered into blocks with a few held-out links each, and the share of
held-out links is made to fall with the score by isotonic regression; the rest of all candidates is its last block. A
share q is a rate of q / (1 - q) for each candidate that is not held out.

Below, the share of a score s is logistic. Its slope is fitted to the held-out links that stand there against sampled
candidates. Such a sample has many more links than there are among all, which moves the intercept and nothing else: the
intercept is set so that the rates of all candidates below add up to the held-out links that stand there, and no rate is
above that of the last block. Rates then fall with the score throughout, and add up to the number of held-out links.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from sklearn.isotonic import isotonic_regression
from sklearn.linear_model import LogisticRegression

from hlgnn.calibration.bisection import bisect

if TYPE_CHECKING:
    from torch import Tensor

LINKS_PER_BLOCK = 5
ENOUGH_TIES = 100
"""How many held-out links the rate of a block is taken from at least."""


@dataclass(frozen=True, eq=False)
class ScoreRate:
    """Held-out links for each other candidate, by score.

    Attributes:
        floor: The lowest score of each block, descending.  (B,)
        block_rate: The rate in each block, not rising.  (B,)
        highest: What no rate below the blocks exceeds.
        shift: The logit of the rate at score 0, below the blocks.
        slope: How the logit rises with the score there.
        scores: Scores that stand for all candidates: one for each block, and the sample below.  (S,)
        weight: How many candidates each of them stands for.  (S,)
    """

    floor: Tensor
    block_rate: Tensor
    highest: float
    shift: float
    slope: float
    scores: Tensor
    weight: Tensor

    def __call__(self, scores: Tensor) -> Tensor:
        """The rate at each score, in double precision."""
        scores = scores.double()
        rate = torch.sigmoid(self.shift + self.slope * scores).clamp(max=self.highest)
        if len(self.floor) == 0:
            return rate
        block = torch.searchsorted(-self.floor, -scores)  # the first block whose floor is at most the score
        inside = self.block_rate[block.clamp(max=len(self.floor) - 1)]
        return torch.where(block < len(self.floor), inside, rate)


def fit_score_rate(
    ranked: Tensor, held_out: Tensor, num_candidates: int, num_held_out: int, positive: Tensor, negative: Tensor
) -> ScoreRate:
    """The rate from a ranking and a sample.

    Args:
        ranked: Scores of the best candidates, descending.  (T,)
        held_out: Which of them are held-out links.  (T,)
        num_candidates: How many candidates there are, held-out links among them.
        num_held_out: How many held-out links there are.
        positive: Scores of all held-out links.  (V,)
        negative: Scores of sampled candidates.  (Q,)
    """
    ranked, positive, negative = ranked.double(), positive.double(), negative.double()
    if 0 < len(ranked) < num_candidates:
        # Others may have the last score too. Few of them tell nothing and belong to what is below; many are a sample.
        kept = ranked > ranked[-1]
        if len(ranked) - int(kept.sum()) < ENOUGH_TIES:
            ranked, held_out = ranked[kept], held_out[kept]
    ends = _block_ends(ranked, held_out)
    size, hits = _counts(ends, held_out)
    rest = torch.tensor([num_candidates - len(ranked), num_held_out - int(held_out.sum())])
    rate = _falling(torch.cat([size, rest[:1]]), torch.cat([hits, rest[1:]]))  # (B + 1,)
    floor = ranked[ends - 1]
    edge = float(floor[-1]) if len(floor) else float("inf")
    positive, negative = positive[positive < edge], negative[negative < edge]
    others, target = float(rest[0] - rest[1]), float(rate[-1] * (rest[0] - rest[1]))
    if len(negative) == 0:  # nothing is known of the scores below
        negative = torch.full((1,), min(edge, 0.0) - 1.0, dtype=torch.float64)
    highest = float(rate[-2]) if len(floor) else 1.0
    slope = _slope(positive, negative)
    shift = _shift(slope, negative, highest, target / others if others else 0.0)
    weight = torch.cat([(size - hits).double(), torch.full((len(negative),), others / len(negative)).double()])
    return ScoreRate(floor, rate[:-1], highest, shift, slope, torch.cat([floor, negative]), weight)


def _block_ends(ranked: Tensor, held_out: Tensor) -> Tensor:
    """Where blocks end: equal scores stay together, and each block has enough held-out links and another candidate."""
    last = torch.ones(len(ranked), dtype=torch.bool)
    last[:-1] = ranked[:-1] != ranked[1:]
    ends = (last.nonzero().flatten() + 1).tolist()
    passed = held_out.long().cumsum(dim=0)[last].tolist()
    found, hits, start = [], 0, 0
    for end, count in zip(ends, passed, strict=True):
        if (count - hits >= LINKS_PER_BLOCK or end == len(ranked)) and end - start > count - hits:
            found.append(end)
            hits, start = count, end
    if start < len(ranked):  # only held-out links are left
        found[-1:] = [len(ranked)]
    return torch.tensor(found, dtype=torch.int64)


def _counts(ends: Tensor, held_out: Tensor) -> tuple[Tensor, Tensor]:
    """Candidates and held-out links in each block.  (B,), (T,) -> (B,), (B,)"""
    passed = torch.cat([torch.zeros(1, dtype=torch.int64), held_out.long().cumsum(dim=0)])[ends]
    zero = torch.zeros(1, dtype=torch.int64)
    return torch.diff(ends, prepend=zero), torch.diff(passed, prepend=zero)


def _falling(size: Tensor, hits: Tensor) -> Tensor:
    """The share of held-out links, isotonic, as a rate.  (B + 1,), (B + 1,) -> (B + 1,)"""
    share, weight = hits.double() / size.clamp(min=1), size.double().clamp(min=1e-9)
    fitted = torch.tensor(isotonic_regression(share.numpy(), sample_weight=weight.numpy(), increasing=False).copy())
    return fitted / (1 - fitted).clamp(min=1e-12)


def _slope(positive: Tensor, negative: Tensor) -> float:
    """How the logit of being held out rises with the score; zero if that cannot be told."""
    scores = torch.cat([positive, negative])
    spread = float(scores.std()) if len(scores) > 1 else 0.0
    if len(positive) == 0 or spread == 0.0:
        return 0.0
    kind = torch.arange(len(scores)) < len(positive)
    scaled = (scores - scores.mean()) / spread
    fitted = LogisticRegression().fit(scaled[:, None].numpy(), kind.numpy())
    return max(0.0, float(fitted.coef_[0, 0])) / spread


def _shift(slope: float, scores: Tensor, highest: float, mean: float) -> float:
    """The intercept with which rates of at most ``highest`` have this mean over the sample."""
    near, far = -slope * float(scores.max()), -slope * float(scores.min())

    def rate(shift: float) -> float:
        return float(torch.sigmoid(shift + slope * scores).clamp(max=highest).mean())

    return bisect(rate, mean, near - 50.0, far + 50.0)
