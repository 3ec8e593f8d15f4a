"""What the best candidates of a ranking are worth, from links that were held out of the graph that was ranked.

The ranking that a person reviews is often made on the whole graph, and this one on the graph without the held-out
links: scores move a little with every link that is added, ranks less. What is said of the best k is therefore said by
rank (``expected``); ``probability`` is for single candidates and for lists that were filtered.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from hlgnn.calibration.bisection import bisect
from hlgnn.calibration.by_rank import Estimate, by_rank, depths
from hlgnn.calibration.reliability import ReliabilityBin, reliability_curve
from hlgnn.calibration.score_rate import ScoreRate, fit_score_rate
from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation import RankedLinks


@dataclass(frozen=True, eq=False)
class TailCalibration:
    """Held-out links in the best candidates of one ranking.

    Attributes:
        depth: How many candidates that are not held out stand above each held-out link in the tail.  (H,)
        end: How many candidates of the tail are not held out.
        held_out: How many links were held out, in the tail or not.
        num_candidates: How many pairs are no links of the message graph, held-out links among them.
        rate: Held-out links for each other candidate, by score.
    """

    depth: Tensor
    end: int
    held_out: int
    num_candidates: int
    rate: ScoreRate

    @classmethod
    def of(
        cls,
        ranked: RankedLinks,
        links: Tensor,
        num_candidates: int,
        *,
        positive: Tensor | None = None,
        negative: Tensor | None = None,
    ) -> TailCalibration:
        """Count the held-out links in a ranking.

        Args:
            ranked: The best of all pairs that are no links of the message graph, held-out links among them.
            links: The held-out links, in any order and direction.  (V, 2)
            num_candidates: How many such pairs there are.
            positive: Scores of the held-out links, for probabilities below the tail.  (V,)
            negative: Scores of candidates drawn uniformly, for the same. They stand for all candidates, so that some of
                them have to stand near the tail: use 50 000 or more where there are millions, the few negatives of a
                split will not do. Without any the probability below the tail is the same for all.  (Q,)

        Raises:
            SettingsError: If there are no held-out links, or fewer candidates than ranked pairs and held-out links.
        """
        found = _among(ranked.pairs, links)
        count = len(links)
        if count < 1 or num_candidates < len(ranked) + count - int(found.sum()):
            raise SettingsError(
                f"{num_candidates} candidates cannot hold {len(ranked)} ranked pairs and {count} held-out links.",
                hint="Rank pairs that are no links of the message graph, and give at least one held-out link.",
            )
        empty = torch.empty(0)
        positive, negative = (empty if each is None else each for each in (positive, negative))
        rate = fit_score_rate(ranked.scores, found, num_candidates, count, positive, negative)
        return cls(depths(found), int((~found).sum()), count, num_candidates, rate)

    def expected(self, k: int, missing: int, *, level: float = 0.9) -> Estimate:
        """How many of the best ``k`` candidates are real, held-out links aside, if so many links are missing.

        Raises:
            SettingsError: If the tail is shorter than ``k`` and there are more candidates.
        """
        others = self.num_candidates - self.held_out
        if k > self.end and self.end < others:
            raise SettingsError(
                f"Only {self.end} candidates were ranked, too few to speak of the best {k}.",
                hint="Rank more candidates when calibrating.",
            )
        return by_rank(self.depth, self.end, min(k, others), missing, self.held_out, level=level)

    def probability(self, scores: Tensor, missing: int) -> Tensor:
        """The chance that a candidate with such a score is real, if so many links are missing.  (P,) -> (P,)

        It is min(1, x · rate), and over all candidates that are not held out it adds up to ``missing``: x is
        missing / held_out, or more if some chances are cut off at one.
        """
        rate = self.rate(scores)
        return (self._scale(missing) * rate).clamp(max=1.0)

    def reliability(
        self, scores: Tensor, real: Tensor, missing: int, *, bins: int = 10, level: float = 0.9
    ) -> list[ReliabilityBin]:
        """Probabilities of candidates beside what turned out to be real.  (P,), (P,), bool"""
        return reliability_curve(self.probability(scores, missing), real, bins=bins, level=level)

    def _scale(self, missing: int) -> float:
        rate, weight = self.rate(self.rate.scores), self.rate.weight  # (S,), (S,)

        def total(scale: float) -> float:
            return float((scale * rate).clamp(max=1.0) @ weight)

        plain = missing / self.held_out
        smallest = float(rate[rate > 0].min()) if bool((rate > 0).any()) else 1.0
        if float((plain * rate).max()) <= 1.0:
            return plain
        return bisect(total, float(missing), plain, max(plain, 1.0 / smallest))


def _among(pairs: Tensor, links: Tensor) -> Tensor:
    """Which pairs are links, in either direction.  (T, 2), (V, 2) -> (T,)"""
    base = 1 + int(max((int(each.max()) for each in (pairs, links) if each.numel()), default=0))
    codes, known = (each.long().amin(dim=1) * base + each.long().amax(dim=1) for each in (pairs, links))
    return torch.isin(codes, known)
