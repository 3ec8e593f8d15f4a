"""The evidence for one link as a small picture: both ends, witnesses between them, and the strongest paths."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple
from xml.sax.saxutils import escape, quoteattr

if TYPE_CHECKING:
    from hlgnn.graph import NodeIds
    from hlgnn.interpret.explain_link import LinkExplanation
    from hlgnn.interpret.link_witnesses import Witness

WIDTH, ROW, MARGIN, RADIUS = 720, 56, 48, 9
COLUMNS = 5  # the first end, three columns between, the second end
LONGEST_LABEL = 18
ACCENT = "var(--hlgnn-accent, #3b82c4)"
AGAINST = "var(--hlgnn-against, #d9662c)"
# A page that says what its background is gets labels that stand out from lines.
HALO = 'stroke="var(--hlgnn-background, none)" stroke-width="3" paint-order="stroke"'
# XML 1.0 has no other characters, not even escaped.
ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class _Line(NamedTuple):
    """A line between two nodes; ``dashed`` if it stands for many walks instead of a link."""

    start: int
    stop: int
    weight: float
    dashed: bool


def draw_link(found: LinkExplanation, node_ids: NodeIds, *, most: int = 12) -> str:
    """The picture as SVG, as wide as its place, in the colours of the text around it; labels are escaped.

    Solid lines are links on strong paths, the wider the stronger; dashed ones join witnesses that are on no such path
    to the ends. What speaks against the link is orange.

    Args:
        found: The explanation.
        node_ids: Labels of nodes.
        most: How many nodes stand between the ends, at most.
    """
    columns = _columns(found, most)
    places = _places(found, columns)
    height = 2 * MARGIN + ROW * max(1, *(len(column) for column in columns), 1)
    first, second = (_text(node_ids[node]) for node in (found.first, found.second))
    title = quoteattr(f"Evidence for the link between {first} and {second}")
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="100%" viewBox="0 0 {WIDTH} {height}" role="img" '
        f'aria-label={title} font-family="system-ui, sans-serif" font-size="12" fill="currentColor">'
    ]
    parts += [_line(line, places) for line in _lines(found, places)]
    signs = {witness.node: witness.contribution for witness in found.witnesses}
    for node, place in places.items():
        is_end = node in {found.first, found.second}
        parts.append(_node(_text(node_ids[node]), place, is_end=is_end, contribution=signs.get(node, 0.0)))
    return "\n".join([*parts, "</svg>"])


def _columns(found: LinkExplanation, most: int) -> list[list[int]]:
    """The nodes between the ends, in three columns from the first end to the second."""
    column: dict[int, int] = {}
    for path in found.paths:
        inner = path.nodes[1:-1]
        if len(column.keys() | set(inner)) <= most:
            for place, node in enumerate(inner, start=1):
                column.setdefault(node, max(1, min(3, round((COLUMNS - 1) * place / (len(path.nodes) - 1)))))
    for witness in found.witnesses:
        if len(column) < most and witness.node not in {found.first, found.second}:
            column.setdefault(witness.node, _side(witness))
    return [[node for node, place in column.items() if place == wanted] for wanted in (1, 2, 3)]


def _side(witness: Witness) -> int:
    """1 for a node that the first end reaches at least three times as well as the second, 3 the other way round."""
    first, second = abs(witness.reach_first), abs(witness.reach_second)
    if first >= 3 * second:
        return 1
    return 3 if second >= 3 * first else 2


def _places(found: LinkExplanation, columns: list[list[int]]) -> dict[int, tuple[float, float]]:
    """Where each node is: a column for each distance, and a row of its own within it."""
    rows = max(1, *(len(column) for column in columns), 1)
    step = (WIDTH - 2 * MARGIN - 40) / (COLUMNS - 1)
    middle = MARGIN + ROW * rows / 2
    places = {found.first: (MARGIN + 20.0, middle), found.second: (WIDTH - MARGIN - 20.0, middle)}
    for number, column in enumerate(columns, start=1):
        top = middle - ROW * (len(column) - 1) / 2
        for row, node in enumerate(column):
            places[node] = (MARGIN + 20 + number * step, top + row * ROW)
    return places


def _lines(found: LinkExplanation, places: dict[int, tuple[float, float]]) -> list[_Line]:
    strongest = max((path.weight for path in found.paths), default=1.0)
    links: dict[tuple[int, int], float] = {}
    for path in found.paths:
        if all(node in places for node in path.nodes):
            for one, two in zip(path.nodes, path.nodes[1:], strict=False):
                key = (min(one, two), max(one, two))
                links[key] = max(links.get(key, 0.0), path.weight / strongest)
    lines = [_Line(one, two, weight, dashed=False) for (one, two), weight in links.items()]
    joined = {node for key in links for node in key}
    largest = max((abs(witness.contribution) for witness in found.witnesses), default=1.0)
    for witness in found.witnesses:
        if witness.node in places and witness.node not in joined | {found.first, found.second}:
            lines.append(_Line(found.first, witness.node, abs(witness.from_first) / largest, dashed=True))
            lines.append(_Line(witness.node, found.second, abs(witness.from_second) / largest, dashed=True))
    return [line for line in lines if line.weight > 0]


def _line(line: _Line, places: dict[int, tuple[float, float]]) -> str:
    (x1, y1), (x2, y2) = places[line.start], places[line.stop]
    width = 0.8 + 5.0 * min(1.0, line.weight)
    look = ' stroke-dasharray="2 5" stroke-opacity="0.4"' if line.dashed else ' stroke-opacity="0.55"'
    bend = 0.0 if abs(x1 - x2) > 1 else 0.5 * ROW  # lines within a column go around what is between
    middle = f"{(x1 + x2) / 2 + bend:.1f} {(y1 + y2) / 2:.1f}"
    return (
        f'<path d="M{x1:.1f} {y1:.1f} Q{middle} {x2:.1f} {y2:.1f}" fill="none" stroke="currentColor" '
        f'stroke-width="{width:.2f}"{look}/>'
    )


def _node(label: str, place: tuple[float, float], *, is_end: bool, contribution: float) -> str:
    x, y = place
    colour = "currentColor" if is_end else (AGAINST if contribution < 0 else ACCENT)
    short = label if len(label) <= LONGEST_LABEL else f"{label[: LONGEST_LABEL - 1]}…"
    weight = ' font-weight="bold"' if is_end else ""
    added = f" ({contribution:+.3g})" if contribution else ""
    return (
        f"<g><title>{escape(label + added)}</title>"
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS}" fill="{colour}"/>'
        f'<text x="{x:.1f}" y="{y + RADIUS + 14:.1f}" text-anchor="middle"{weight} {HALO}>{escape(short)}</text></g>'
    )


def _text(label: str | int) -> str:
    """A label in characters that XML has."""
    return ILLEGAL.sub("\ufffd", str(label))
