"""Names below a chart: in up to three lines side by side where they fit, and slanted in two lines otherwise."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, NamedTuple

from hlgnn.report.charts.axis import text_width
from hlgnn.report.charts.frame import LETTERS

if TYPE_CHECKING:
    from collections.abc import Sequence

LINE = LETTERS + 2
MOST_LINES, SLANTED_LINES = 3, 2
LONGEST_SLANTED = 20
ALONG, DOWN = 0.82, 0.58
"""How far a slanted letter goes along and down: the cosine and the sine of its angle."""


class NameLayout(NamedTuple):
    """How names are written.

    Attributes:
        lines: The lines of each name.
        slanted: Whether they are slanted, and end at their place.
    """

    lines: tuple[tuple[str, ...], ...]
    slanted: bool

    @property
    def height(self) -> float:
        """How much room they need below the plot."""
        most = max(len(lines) for lines in self.lines)
        return 14 + DOWN * self._widest + LINE * (most - 1) if self.slanted else 6 + LINE * most

    @property
    def overhang(self) -> float:
        """How far the longest one goes to the left of its place."""
        return ALONG * self._widest if self.slanted else 0.0

    @property
    def _widest(self) -> float:
        return max(text_width(line) for lines in self.lines for line in lines)


def lay_names(names: Sequence[str], room: float) -> NameLayout:
    """The lines of names, each of which has so much room along.

    Example:
        >>> lay_names(["Cora", "two words"], 40).lines
        (('Cora',), ('two', 'words'))
    """
    words = [" ".join(name.split()) for name in names]
    most = max(1, int((room - 4) / text_width("x")))
    broken = [textwrap.wrap(name, most, break_long_words=False) or [""] for name in words]
    if all(len(lines) <= MOST_LINES and max(map(len, lines)) <= most for lines in broken):
        return NameLayout(tuple(map(tuple, broken)), slanted=False)
    short = [textwrap.wrap(name, LONGEST_SLANTED, max_lines=SLANTED_LINES, placeholder="…") or [""] for name in words]
    return NameLayout(tuple(map(tuple, short)), slanted=True)
