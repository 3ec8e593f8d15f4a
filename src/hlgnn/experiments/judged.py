"""Every claim of the paper with what a store says about it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.claims import CLAIMS
from hlgnn.experiments.experiment import Scale
from hlgnn.experiments.experiments import EXPERIMENTS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.experiments.claims import Claim, Verdict
    from hlgnn.experiments.store import ResultStore


def judged(store: ResultStore) -> Iterator[tuple[Claim, Verdict]]:
    """In the order of the paper; results of an experiment are read once."""
    known = {
        name: store.outcomes(EXPERIMENTS[name], Scale.FULL)
        for name in dict.fromkeys(each.experiment for each in CLAIMS)
    }
    for claim in CLAIMS:
        yield claim, claim.judge(known[claim.experiment])
