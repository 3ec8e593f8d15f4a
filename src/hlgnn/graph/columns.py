"""Which columns of a table hold what: by the names the caller gives, by common names, or by position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.errors import GraphFormatError
from hlgnn.graph.text_layout import is_integer, is_number

if TYPE_CHECKING:
    from collections.abc import Sequence

SOURCE_NAMES = (
    "source", "src", "from", "u", "node1", "node_1", "head", "id1", "id_1", "source_id", "src_id", "from_id",
    "fromnodeid", "from_node", "start", "subject", "user1", "node_a",
)  # fmt: skip
TARGET_NAMES = (
    "target", "dst", "to", "v", "node2", "node_2", "tail", "id2", "id_2", "target_id", "dst_id", "to_id",
    "tonodeid", "to_node", "end", "object", "user2", "node_b", "dest", "destination",
)  # fmt: skip
ID_NAMES = ("id", "node", "node_id", "nodeid", "name", "label", "vertex")
WEIGHT_NAMES = ("weight",)


@dataclass(frozen=True)
class EdgeColumns:
    """The positions of the columns of an edge list, and the names of those that nothing uses."""

    source: int
    target: int
    weight: int | None
    time: int | None
    unused: tuple[str, ...]


@dataclass(frozen=True)
class Wanted:
    """The names that the caller gave to columns; None where nothing was given."""

    source: str | None = None
    target: str | None = None
    weight: str | None = None
    time: str | None = None

    @property
    def names(self) -> list[str]:
        """All names that were given."""
        return [name for name in (self.source, self.target, self.weight, self.time) if name is not None]

    def is_header(self, first: list[str], rest: list[list[str]]) -> bool:
        """Whether ``first`` are the names of columns, and not the first edge.

        They are if the caller named one of them, if both ids are common names, if they are no integers above ids that
        all are, or if a later one is no number above numbers only.
        """
        cells = [cell.strip().lower() for cell in first]
        if any(not is_integer(name) and name.strip().lower() in cells for name in self.names):
            return True
        if _common(cells, SOURCE_NAMES) is not None and _common(cells, TARGET_NAMES) is not None:
            return True
        ids = [cell for row in rest for cell in row[:2]]
        if any(is_integer(cell) for cell in first[:2]) or not ids:
            return False
        return all(map(is_integer, ids)) or any(
            not is_number(cell) and all(place < len(row) and is_number(row[place]) for row in rest)
            for place, cell in enumerate(first[2:], start=2)
        )


def choose_columns(names: Sequence[str] | None, width: int, wanted: Wanted, where: str) -> EdgeColumns:
    """The columns of an edge list with these names, or of one without names that is ``width`` columns wide.

    Raises:
        GraphFormatError: If a named column is not there, there are too few, or nothing says which of many to use.
    """
    if width < 2:
        raise GraphFormatError(
            "There is one column, but an edge needs two.",
            where=where,
            hint="Set delimiter (--delimiter) to what stands between the cells.",
        )
    if names is None and width > 2 and not wanted.names:
        raise GraphFormatError(
            f"There are {width} columns and no header, so nothing says what they hold.",
            where=where,
            hint="If the first line names the columns, set header to True (--header); if not, name them by their "
            'numbers: source="1", target="2", weight="3" (--source 1 --target 2 --weight 3).',
        )
    source = _find(names, width, wanted.source, where)
    target = _find(names, width, wanted.target, where)
    lower = [name.strip().lower() for name in names or ()]
    common = _common(lower, SOURCE_NAMES), _common(lower, TARGET_NAMES)
    default = common if None not in common else (0, 1)
    source = source if source is not None else default[0] if default[0] != target else default[1]
    target = target if target is not None else default[1] if default[1] != source else default[0]
    weight = _find(names, width, wanted.weight, where)
    weight = _common(lower, WEIGHT_NAMES) if weight is None else weight
    time = _find(names, width, wanted.time, where)
    if source is None or target is None or source == target:
        raise GraphFormatError("Source and target are the same column.", where=where, hint="Name two columns.")
    used = {source, target, weight, time}
    unused = tuple(names[i] if names else str(i + 1) for i in range(width) if i not in used)
    return EdgeColumns(source, target, weight if weight not in {source, target} else None, time, unused)


def choose_id_column(names: Sequence[str] | None, width: int, wanted: str | None, where: str) -> int:
    """The column of a table of nodes that holds their ids."""
    found = _find(names, width, wanted, where)
    if found is None:
        found = _common([name.strip().lower() for name in names or ()], ID_NAMES)
    return found or 0


def _find(names: Sequence[str] | None, width: int, wanted: str | None, where: str) -> int | None:
    if wanted is None:
        return None
    if names is not None:
        for candidates in (list(names), [name.lower() for name in names]):
            if wanted in candidates:
                return candidates.index(wanted)
        raise GraphFormatError(
            f"There is no column {wanted!r}.", where=where, hint=f"The columns are: {', '.join(names)}."
        )
    if wanted.isdecimal() and 1 <= int(wanted) <= width:
        return int(wanted) - 1
    raise GraphFormatError(
        f"There is no column {wanted!r}: the file has no header, and {width} columns.",
        where=where,
        hint=f'Name a column by its number, "1" to "{width}", or set header to True (--header).',
    )


def _common(lower: Sequence[str], common: Sequence[str]) -> int | None:
    return next((i for i, name in enumerate(lower) if name in common), None)
