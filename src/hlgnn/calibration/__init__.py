"""How many of the best candidates are real, how likely each one is, and whether training was worth it."""

from hlgnn.calibration.by_rank import Estimate, by_rank, depths
from hlgnn.calibration.gate import Gate, Verdict, choose_heuristic, gate
from hlgnn.calibration.paired_bootstrap import LinkScores, paired_difference
from hlgnn.calibration.reliability import ReliabilityBin, reliability_curve
from hlgnn.calibration.score_rate import ScoreRate, fit_score_rate
from hlgnn.calibration.statement import statement
from hlgnn.calibration.tail import TailCalibration

__all__ = [
    "Estimate",
    "Gate",
    "LinkScores",
    "ReliabilityBin",
    "ScoreRate",
    "TailCalibration",
    "Verdict",
    "by_rank",
    "choose_heuristic",
    "depths",
    "fit_score_rate",
    "gate",
    "paired_difference",
    "reliability_curve",
    "statement",
]
