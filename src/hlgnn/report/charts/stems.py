"""The weight β of each order as a stem from zero (Eq. 2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.charts.frame import axes, dot, line, make_frame, picture
from hlgnn.report.charts.scale import nice_range
from hlgnn.report.markup import Markup, join

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_LABELS = 9


def stem_chart(betas: Sequence[float], title: str) -> Markup:
    """One stem for each order, from zero to β.

    Args:
        betas: β_0 … β_L, at least one.  (L + 1,)
        title: What it shows, in words.
    """
    last = len(betas) - 1
    frame = make_frame((-0.5, last + 0.5), nice_range(min(0.0, *betas), max(0.0, *betas)))
    step = -(-len(betas) // MOST_LABELS)
    stems = (_stem(frame.across(order), frame.up(beta), frame.up(0.0), beta) for order, beta in enumerate(betas))
    return picture(
        title,
        frame.height,
        axes(frame, "order l (length of the walk)", "weight β", [float(k) for k in range(0, last + 1, step)]),
        join(*stems),
    )


def _stem(x: float, y: float, zero: float, beta: float) -> Markup:
    kind = " against" if beta < 0 else ""
    return join(line(x, zero, x, y, f"stem{kind}"), dot(x, y, f"mark{kind}", radius=3.5))
