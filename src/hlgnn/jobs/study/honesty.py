"""How many of the best links are real: counted on links that were held out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.calibration import TailCalibration, statement
from hlgnn.graph import Graph

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.calibration import Estimate, ReliabilityBin
    from hlgnn.data import Split
    from hlgnn.formulation import RankedLinks

TAIL, COUNTS = 5_000, (10, 20, 50, 100, 200, 500, 1_000)


@dataclass(frozen=True, eq=False)
class Honesty:
    """What may be expected of a list of links.

    Attributes:
        tail: What was counted.
        missing: How many links are taken to be missing from the graph: as many as were held out for the test.
        estimates: How many of the best are real, for several lengths of the list.
        reliability: Stated probabilities of the ranked test candidates beside what is real.
    """

    tail: TailCalibration
    missing: int
    estimates: tuple[Estimate, ...]
    reliability: tuple[ReliabilityBin, ...]

    def statement(self, count: int) -> str:
        """The sentence for a list of ``count`` links."""
        most = min(count, self.tail.end)
        return statement(self.tail.expected(most, self.missing), asked=count)

    def document(self) -> dict[str, Any]:
        """For a file."""
        return {
            "statement": self.statement(100),
            "assumption": (
                f"This holds if about as many links are missing from the graph as were held out for the test "
                f"({self.missing}), and are missing in the same way: at random."
            ),
            "missing": self.missing,
            "held_out": self.tail.held_out,
            "table": [
                {"k": each.k, "expected": each.mean, "low": each.low, "high": each.high} for each in self.estimates
            ],
            "reliability": [
                {key: getattr(each, key) for key in ("predicted", "observed", "low", "high", "count")}
                for each in self.reliability
            ],
        }


def count_held_out(split: Split, ranked: RankedLinks, tail: TailCalibration) -> Honesty:
    """What was counted on the validation links, beside the test links.

    Args:
        split: What was held out.
        ranked: The best of all pairs that are no links of ``split.graph``.
        tail: Where the validation links are among them.
    """
    missing = len(split.test.positive)
    lengths = [each for each in COUNTS if each <= tail.end]
    estimates = tuple(tail.expected(each, missing) for each in lengths)
    others = ~_among(split, split.valid.positive, ranked.pairs)
    real = _among(split, split.test.positive, ranked.pairs[others])
    curve = tail.reliability(ranked.scores[others], real, missing) if int(others.sum()) else []
    return Honesty(tail, missing, estimates, tuple(curve))


def _among(split: Split, links: Tensor, pairs: Tensor) -> Tensor:
    """Which pairs are links, in either direction.  (P, 2) -> (P,)"""
    return Graph.from_edges(split.graph.num_nodes, links).has_links(pairs)
