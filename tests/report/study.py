"""A study document with every part, of the size and kind that a real study has."""

from __future__ import annotations

import copy
import math
from typing import Any

DRAWING = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 720 208" role="img" aria-label="Evidence" '
    'font-family="system-ui, sans-serif" font-size="12" fill="currentColor">'
    '<path d="M68 104 Q214 76 360 76" fill="none" stroke="currentColor" stroke-width="5.80" stroke-opacity="0.55"/>'
    '<path d="M360 76 Q506 76 652 104" fill="none" stroke="currentColor" stroke-width="5.80" stroke-opacity="0.55"/>'
    '<path d="M68 104 Q214 132 360 132" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="2 5"/>'
    '<path d="M360 132 Q506 132 652 104" fill="none" stroke="currentColor" stroke-width="2" stroke-dasharray="2 5"/>'
    '<g><title>Ada</title><circle cx="68" cy="104" r="9" fill="currentColor"/>'
    '<text x="68" y="127" text-anchor="middle" font-weight="bold">Ada</text></g>'
    '<g><title>Emil</title><circle cx="652" cy="104" r="9" fill="currentColor"/>'
    '<text x="652" y="127" text-anchor="middle" font-weight="bold">Emil</text></g>'
    '<g><title>Carla (+0.31)</title><circle cx="360" cy="76" r="9" fill="var(--hlgnn-accent, #3b82c4)"/>'
    '<text x="360" y="99" text-anchor="middle">Carla</text></g>'
    '<g><title>Dora (-0.04)</title><circle cx="360" cy="132" r="9" fill="var(--hlgnn-against, #d9662c)"/>'
    '<text x="360" y="155" text-anchor="middle">Dora</text></g></svg>'
)


def method(name: str, title: str, kind: str, value: float | None, hard: float | None, **others: Any) -> dict[str, Any]:
    """A row of the table; intervals are three hundredths to either side."""
    return {
        "name": name,
        "title": title,
        "kind": kind,
        "metric": "hits@100",
        "valid": None if value is None else value + 0.011,
        "test": around(value),
        "auc": around(None if value is None else 0.5 + value / 2.1),
        "hard": around(hard),
        "seconds": None if value is None else 0.4,
        "note": None,
        **others,
    }


def around(value: float | None, by: float = 0.021) -> dict[str, float] | None:
    return None if value is None else {"low": max(0.0, value - by), "value": value, "high": min(1.0, value + by)}


STUDY: dict[str, Any] = {
    "title": "Missing links of collaborations.csv",
    "created": "2026-11-16 04:30 UTC",
    "asked": {
        "command": "hlgnn study collaborations.csv --features people.csv --top 100",
        "file": "collaborations.csv",
        "seconds": 96.4,
    },
    "findings": {
        "summary": {
            "nodes": 2708,
            "links": 5278,
            "features": 1433,
            "weighted": False,
            "isolated": 12,
            "components": 78,
            "largest_component": 2485,
            "mean_degree": 3.898,
            "median_degree": 3,
            "max_degree": 168,
        },
        "sentences": [
            "This is a sparse graph with few hubs: half of the nodes have three links or fewer.",
            "Linked nodes share features far more often than pairs drawn at random.",
        ],
        "notes": ["14 repeated lines were merged.", "12 nodes have no link; only their features can speak for them."],
    },
    "protocol": {
        "name": "ncn",
        "description": "Random 70/10/20 on the whole graph; as many uniform negatives as positives.",
        "train": 3696,
        "valid": 527,
        "test": 1055,
        "negatives": 1055,
    },
    "methods": [
        method("cn", "Common neighbours", "heuristic", 0.336, 0.142),
        method("ra", "Resource allocation", "heuristic", 0.334, 0.158),
        method("katz", "Katz index", "heuristic", 0.638, 0.161, seconds=0.9),
        method("rwr", "Random walk with restart", "heuristic", 0.621, 0.149, seconds=3.2),
        method("hlgnn", "HL-GNN", "learned", 0.893, 0.217, seconds=81.0, note="mean of 3 seeds"),
        method("feature-cosine", "Cosine of features", "features", 0.545, 0.094),
        method("simrank", "SimRank", "heuristic", None, None, note="its table would need 58 GB"),
    ],
    "gate": {
        "best_heuristic": "katz",
        "difference": {"low": 0.226, "value": 0.255, "high": 0.284},
        "verdict": "earns its keep",
        "sentence": "The learned model reaches Hits@100 0.89, the best heuristic (katz) 0.64; the difference "
        "0.26 (0.23 to 0.28) is beyond the noise of the test links.",
    },
    "recommended": "hlgnn",
    "calibration": {
        "statement": "Review these 100: expect 37 ± 6 to be real (90 % interval 27–47), if about as many links "
        "are missing as were held out (1055).",
        "assumption": "Chances assume that as many links are missing as were held out. If half as many are "
        "missing, expect about half as many to be real.",
        "missing": 1055,
        "table": [
            {"k": 10, "expected": 7.4, "low": 5, "high": 10},
            {"k": 25, "expected": 15.8, "low": 11, "high": 20},
            {"k": 50, "expected": 25.1, "low": 18, "high": 32},
            {"k": 100, "expected": 37.2, "low": 27, "high": 47},
            {"k": 1000, "expected": 118.0, "low": 96, "high": 141},
        ],
        "reliability": [
            {"predicted": 0.03, "observed": 0.02, "low": 0.01, "high": 0.04, "count": 400},
            {"predicted": 0.11, "observed": 0.13, "low": 0.09, "high": 0.18, "count": 180},
            {"predicted": 0.24, "observed": 0.2, "low": 0.14, "high": 0.28, "count": 90},
            {"predicted": 0.41, "observed": 0.46, "low": 0.34, "high": 0.58, "count": 46},
            {"predicted": 0.63, "observed": 0.57, "low": 0.4, "high": 0.73, "count": 21},
            {"predicted": 0.84, "observed": 0.86, "low": 0.62, "high": 0.96, "count": 10},
        ],
    },
    "learned": {
        "formula": "H = 0.1021 I + 0.3312 Ã_sym + 0.2544 Ã_sym² − 0.0611 Ã_sym³ + 0.0913 Ã_sym⁴ + 0.0402 Ã_sym⁵ "
        "+ 0.0187 Ã_sym⁶ + 0.0093 Ã_sym⁷ − 0.0041 Ã_sym⁸",
        "nearest": {"title": "Katz index", "request": "katz(gamma=0.4, order=4)", "r_squared": 0.934},
        "sentences": [
            "Order 1 has the largest weight: walks of a single step.",
            "82 % of the weight is on orders 0 to 3, so the neighbourhood decides; the mean order is 1.9.",
            "Weights of orders 3 and 8 are negative: what is found there counts against a link.",
        ],
        "betas": [0.1021, 0.3312, 0.2544, -0.0611, 0.0913, 0.0402, 0.0187, 0.0093, -0.0041],
    },
    "links": [
        {
            "rank": rank + 1,
            "source": ("Ada", "Berta", 1044, "Emil")[rank % 4],
            "target": ("Gustav", 77, "Grete")[rank % 3],
            "score": 9.8 - 0.31 * rank,
            "probability": 0.94 * math.exp(-0.07 * rank),
            "reasons": ["3 neighbours in common: Carla, Otto, Vera.", "Their features agree on “graphs” and “walks”."][
                : 1 + rank % 2
            ],
        }
        for rank in range(30)
    ],
    "evidence": {
        "source": "Ada",
        "target": "Emil",
        "svg": DRAWING,
        "text": "Ada and Emil are not linked in the message graph.\nThe model gives the link the logit 4.11.\n\n"
        "Nodes that carry most of it:\n  Carla: +0.31, 61 % of all, for the link\n  Dora: −0.04, 8 % of all, against "
        "the link",
    },
    "curve": [
        {
            "epoch": epoch,
            "loss": 0.18 + 0.5 * math.exp(-epoch / 18),
            "valid": None if epoch % 5 else 0.9 - 0.45 * math.exp(-epoch / 25) - 0.0004 * max(0, epoch - 70),
            "seconds": 0.74,
        }
        for epoch in range(1, 121)
    ],
    "settings": '[model]\nname = "hlgnn"\norder = 8\nhead = "mlp"\n\n'
    "[training]\nepochs = 120\nlearning_rate = 0.003\nseed = 0\n",
    "versions": {"hlgnn": "0.1.0.dev0", "torch": "2.13.0+cpu", "numpy": "2.4.6", "python": "3.11.7"},
    "reproduce": [
        "pip install hlgnn==0.1.0.dev0",
        "hlgnn study collaborations.csv --features people.csv --top 100 --seed 0",
    ],
    "estimate": {"seconds": 110.0, "gigabytes": 0.9},
    "took": {"seconds": 96.4, "gigabytes": 0.74},
}


def study() -> dict[str, Any]:
    """A copy that a test may change."""
    return copy.deepcopy(STUDY)
