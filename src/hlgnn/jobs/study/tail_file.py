"""What scores of a run are worth: counted once, and kept beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from hlgnn.calibration import TailCalibration
from hlgnn.data.negatives import uniform
from hlgnn.errors import RunError
from hlgnn.formulation import RankedLinks
from hlgnn.jobs.study.honesty import TAIL
from hlgnn.progress import Progress, silent
from hlgnn.ranking import Candidates
from hlgnn.training.checkpoint import load_tensors, save_tensors

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.data import Split
    from hlgnn.jobs.study.ranker import Ranker

TAIL_FILE = "tail.safetensors"
SAMPLED = 50_000  # with fewer the chances below the ranked tail do not add up to the missing links


class Tail(NamedTuple):
    """The best candidates of the message graph, and what was counted in them.

    Attributes:
        ranked: The best pairs that are no links of it.
        calibration: Where the validation links are among them.
    """

    ranked: RankedLinks
    calibration: TailCalibration


def write_tail(folder: Path, ranker: Ranker, progress: Progress = silent) -> str:
    """Rank all pairs that are no links of the message graph, score the validation links, and keep both; a note on it.

    This takes the longest of all that is asked of a run.
    """
    split, known = ranker.work.split, ranker.work.dataset.graph
    candidates = ranker.candidates(split.graph)
    ranking = ranker.rank(candidates, TAIL, progress=progress)
    others = uniform(known, min(SAMPLED, Candidates(known).count() // 2), ranker.generator)
    others = others[candidates.allowed(others)]
    positive, negative = (ranker.scores(candidates, pairs).double() for pairs in (split.valid.positive, others))
    links = ranking.links
    tensors = {"pairs": links.pairs, "scores": links.scores, "positive": positive, "negative": negative}
    save_tensors(folder / TAIL_FILE, tensors, {"candidates": candidates.count()})
    return ranking.note


def read_tail(folder: Path, split: Split) -> Tail:
    """The ranking of a run, calibrated on its validation links.

    Raises:
        CheckpointError: If the file is damaged.
        RunError: If it is not what was written.
    """
    tensors, notes = load_tensors(folder / TAIL_FILE)
    try:
        ranked = RankedLinks(tensors["pairs"], tensors["scores"])
        calibration = TailCalibration.of(
            ranked,
            split.valid.positive,
            int(notes["candidates"]),
            positive=tensors["positive"],
            negative=tensors["negative"],
        )
    except (KeyError, TypeError, ValueError, RuntimeError) as error:
        raise RunError(f"It is not what was written there ({error}).", where=str(folder / TAIL_FILE)) from None
    return Tail(ranked, calibration)
