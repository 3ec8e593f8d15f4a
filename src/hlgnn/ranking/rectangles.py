"""The allowed pairs as a few rectangles of nodes, so that most of what is ruled out is never looked at."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.ranking.candidates import Candidates

# With more kinds than this, pairs of one kind are sorted out one by one.
MOST_KINDS = 16


@dataclass(frozen=True, eq=False)
class Rectangle:
    """Pairs with one end among the rows and the other one among the columns.

    Attributes:
        rows: Ascending nodes.  (R,)
        columns: Ascending nodes, none of them a row; ``None`` means the rows themselves, each pair once.  (C,)
    """

    rows: Tensor
    columns: Tensor | None

    @property
    def size(self) -> int:
        """How many unordered pairs there are."""
        rows = len(self.rows)
        return rows * (rows - 1) // 2 if self.columns is None else rows * len(self.columns)


def rectangles(candidates: Candidates) -> list[Rectangle]:
    """Rectangles without a common pair that hold every allowed pair; none of them is empty.

    Links and excluded pairs are still inside.
    """
    found = _by_kinds(candidates)
    if candidates.chosen is not None:
        found = [part for whole in found for part in _with_chosen(whole, candidates.chosen)]
    return [each for each in found if each.size]


def _by_kinds(candidates: Candidates) -> list[Rectangle]:
    everyone = torch.arange(candidates.graph.num_nodes)
    kinds, rule = candidates.kinds, candidates.kinds_rule
    if kinds is None:
        return [Rectangle(everyone, None)]
    if rule != "differ":
        one, other = (everyone[kinds == kind] for kind in rule)
        return [Rectangle(one, None if rule[0] == rule[1] else other)]
    names = kinds.unique()
    if len(names) > MOST_KINDS:
        return [Rectangle(everyone, None)]
    groups = [everyone[kinds == name] for name in names]
    return [Rectangle(one, other) for one, other in combinations(groups, 2)]


def _with_chosen(whole: Rectangle, chosen: Tensor) -> list[Rectangle]:
    """The pairs with at least one chosen end.  (N,), bool"""
    inside = chosen[whole.rows]
    rows, others = whole.rows[inside], whole.rows[~inside]
    if whole.columns is None:
        return [Rectangle(rows, None), Rectangle(rows, others)]
    return [Rectangle(rows, whole.columns), Rectangle(others, whole.columns[chosen[whole.columns]])]
