"""What scores are worth, counted once for a run, and kept beside it as the study keeps it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.calibration import TailCalibration
from hlgnn.formulation import RankedLinks
from hlgnn.jobs.study.honesty import TAIL
from hlgnn.jobs.study.study import TAIL_FILE
from hlgnn.ranking import Candidates
from hlgnn.training.checkpoint import load_tensors, save_tensors

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

    from hlgnn.jobs.study.study import Ranker


def tail_of(folder: Path, ranker: Ranker) -> TailCalibration:
    """The calibration of a run on its validation links; it is written to the folder unless it is there.

    All pairs that are no links of the message graph are ranked, which takes the longest of all that is asked of a run.

    Raises:
        CheckpointError: If the file is damaged.
    """
    path = folder / TAIL_FILE
    candidates = Candidates(ranker.work.split.graph)
    if not path.is_file():
        save_tensors(path, _counted(ranker, candidates), {"candidates": candidates.count()})
    tensors, _ = load_tensors(path)
    return TailCalibration.of(
        RankedLinks(tensors["pairs"], tensors["scores"]),
        ranker.work.split.valid.positive,
        candidates.count(),
        positive=tensors["positive"],
        negative=tensors["negative"],
    )


def _counted(ranker: Ranker, candidates: Candidates) -> dict[str, Tensor]:
    """The best candidates, and the scores of the validation links and their negatives."""
    valid = ranker.work.split.valid
    ranked = ranker.rank(candidates, TAIL).links
    positive, negative = (
        ranker.scores(candidates, pairs).double() for pairs in (valid.positive, valid.negative.reshape(-1, 2))
    )
    return {"pairs": ranked.pairs, "scores": ranked.scores, "positive": positive, "negative": negative}
