"""What all formats say alike: signs and what they mean, numbered notes, and which columns hold numbers."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hlgnn.report.numbers import MISSING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.experiments.sheet import Entry, Grid

SIGNS = {"above": "▲", "below": "▼", "best": "★"}
"""The sign beside an entry, by its mark."""

MEANINGS = {
    "above": "ours is above the printed number by more than the noise",
    "below": "ours is below the printed number by more than the noise",
    "best": "the best of its column",
}
OF_DIFFERENCES = {
    "above": "the difference is above zero by more than the noise",
    "below": "the difference is below zero by more than the noise",
}
"""What signs mean where no printed number stands beside an entry."""

NOTHING = "There is nothing to show yet."
NUMBER = re.compile(r"[−+\-±≈<>≤≥~\[]*\s?\d")
"""How a number or an interval begins."""

LONG = 40


def entries(grid: Grid) -> Iterator[Entry]:
    """All entries in the order of reading."""
    for _, row in grid.rows:
        yield from row


def numbered_notes(grid: Grid) -> dict[str, int]:
    """The notes of a grid with their numbers, in the order of reading; equal notes share one.

    Example:
        >>> from hlgnn.experiments.sheet import Entry, Grid
        >>> row = (Entry("1", note="3 of 10 seeds"), Entry("–", note="not run"), Entry("2", note="3 of 10 seeds"))
        >>> numbered_notes(Grid("", ("",), (("a", row),)))
        {'3 of 10 seeds': 1, 'not run': 2}
    """
    found = dict.fromkeys(entry.note for entry in entries(grid) if entry.note)
    return {note: number for number, note in enumerate(found, start=1)}


def legend(grid: Grid, printed: str) -> list[str]:
    """Sentences that say what stands in a grid, as far as it does.

    Args:
        grid: The grid.
        printed: Where the printed number stands, such as ``in brackets``.
    """
    found = list(entries(grid))
    lines = [f"The number {printed} is the one that the paper prints."] if any(each.published for each in found) else []
    for mark, sign in SIGNS.items():
        meanings = dict.fromkeys(meaning(entry) for entry in found if entry.mark == mark)
        lines += [f"{sign} {words}." for words in meanings]
    if any(entry.mark == "missing" and not entry.note for entry in found):
        lines.append(f"{MISSING} no result is stored.")
    return lines


def meaning(entry: Entry) -> str:
    """What the sign of an entry says; nothing if it has none.

    Example:
        >>> from hlgnn.experiments.sheet import Entry
        >>> meaning(Entry("+1.75", mark="above")), meaning(Entry("1.75", "1.70"))
        ('the difference is above zero by more than the noise', '')
    """
    said = MEANINGS.get(entry.mark, "")
    return said if entry.published else OF_DIFFERENCES.get(entry.mark, said)


def is_number_column(grid: Grid, place: int) -> bool:
    """Whether the entries of a column are numbers, and are set flush right; there has to be one.

    Args:
        grid: The grid.
        place: Which entry of the rows; zero is the first one behind the name.
    """
    texts = [entry.text for entry in _column(grid, place) if entry.text not in ("", MISSING)]
    return all(NUMBER.match(text) for text in texts)


def is_long_column(grid: Grid, place: int) -> bool:
    """Whether the entries of a column are sentences, and have to be broken."""
    return any(len(entry.text) > LONG for entry in _column(grid, place))


def one_line(text: str) -> str:
    r"""A text whose blanks and ends of lines are single blanks; narrow blanks stay.

    Example:
        >>> one_line(" a\n b ")
        'a b'
    """
    return re.sub(r"[ \t\r\n\v\f\x1c-\x1f\x85\u2028\u2029]+", " ", text).strip(" ")


def _column(grid: Grid, place: int) -> list[Entry]:
    return [row[place] for _, row in grid.rows if place < len(row)]
