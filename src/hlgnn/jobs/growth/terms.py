"""The terms that the time of a step is a sum of, each with a coefficient that is fitted on measurements."""

from __future__ import annotations

from hlgnn.formulation.kernels.sum_lanes import LANES, WIDEST
from hlgnn.formulation.polynomial import BLOCK
from hlgnn.jobs.growth.step_size import KINDS, StepSize

CACHES = {"2 MB": 2 << 20, "32 MB": 32 << 20, "256 MB": 256 << 20}
"""Caches as processors have them; those that make no difference get a coefficient of nought."""


def terms(size: StepSize) -> dict[str, float]:
    """What the time of a step is a sum of, by name.

    Products cost each stored edge and self-loop once for every column and layer, and more where rows come from farther
    away: by the share of rows that a cache of some size does not hold. One fixed operator sums up full blocks of
    columns of all but small matrices in registers, which has coefficients of its own. Sums and copies of whole
    matrices cost N F, and so does Adam. The head costs its product and the rows of its pairs.
    """
    kind, pairs = size.operators, size.pairs
    edges, rows = float((2 * size.links + size.nodes) * size.depth), size.nodes * 4 * min(size.width, WIDEST[4])
    large = kind == "sym" and size.nodes * size.width > BLOCK
    full = size.width - size.width % LANES[-1] if large else 0
    found = _products(kind, edges * (size.width - full), rows)
    if kind == "sym":
        found |= _products("sym in registers", edges * full, rows)
    else:  # bounds of its radius, and sums of whole layers
        found["mixture: nodes × width × depth"] = float(size.nodes * size.width * size.depth)
        found["mixture: nodes × depth"] = float(size.nodes * size.depth)
    return found | {
        "nodes × width": float(size.nodes * size.width),
        "pairs × width": float(pairs * size.width),
        "pairs × hidden": float(pairs * size.hidden),
        "pairs × width × hidden": float(pairs * size.width * size.hidden),
        "step": 1.0,
    }


def _products(kind: str, edges: float, rows: int) -> dict[str, float]:
    """Edges × columns × layers, and the shares of them whose rows are beyond a cache."""
    name = f"{kind}: edges × width × depth"
    beyond = {
        f"{name}, beyond {label}": edges * max(0.0, 1.0 - cache / max(1, rows)) for label, cache in CACHES.items()
    }
    return {name: edges} | beyond


NAMES = tuple(dict.fromkeys(name for kind in KINDS for name in terms(StepSize(1, 1, 1, 1, kind))))
"""The names of all terms."""
