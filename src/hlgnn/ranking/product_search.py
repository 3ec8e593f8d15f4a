"""The best pairs where all scores are one matrix product: blocks of it, and only those that can hold a good pair."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from hlgnn.errors import NumericalError
from hlgnn.formulation.memory import most_columns
from hlgnn.ranking.best_pairs import BestPairs
from hlgnn.ranking.cones import UNIT, Cones, make_cones, rounding
from hlgnn.ranking.rectangles import rectangles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hlgnn.models import ProductForm
    from hlgnn.processes import Group
    from hlgnn.progress import Progress
    from hlgnn.ranking.candidates import Candidates
    from hlgnn.ranking.rectangles import Rectangle

ROWS, COLUMNS = 256, 4096
BLOCKS_AT_ONCE = 8
BYTES_PER_SCORE = 24
LARGEST = 1e37
WHAT = "Best links"


def search_product(
    form: ProductForm, candidates: Candidates, best: BestPairs, memory: int, progress: Progress, group: Group
) -> BestPairs:
    """Offer every allowed pair that can be among the best; of several processes each has some blocks of rows.

    A first look at the most promising pairs of each block finds a score that k pairs reach. Then a pair is computed
    only if the bound of its block reaches that, and is scored exactly only if its product does, less the rounding.
    """
    check_form(form)
    searches = [_search(form, candidates, each, memory, group) for each in rectangles(candidates)]
    total = -(-sum(each.num_blocks for each in searches) // group.size)
    known = BestPairs(best.k, best.exact, best.minimum)
    for each in searches:
        each.look(known)
    known.settle()
    best.minimum = group.largest(known.threshold)  # a score that k pairs of one process reach
    done = 0
    for each in searches:
        for blocks in each.search(best):
            done += blocks
            progress(WHAT, min(done, total), total)
    return best


def check_form(form: ProductForm) -> None:
    """Refuse numbers whose products are none.

    Raises:
        NumericalError: If a score can be infinite or no number.
    """
    most = float(form.left.double().norm(dim=1).amax()) * float(form.right.double().norm(dim=1).amax())
    if not most + abs(float(form.shift)) < LARGEST:
        raise NumericalError(
            "The model has scores that are infinite or no numbers.",
            hint="Train it with a lower train.learning_rate or train.beta_rate, or with operators that stay bounded.",
        )


@dataclass(frozen=True, eq=False)
class _Search:
    """One rectangle of pairs.

    Attributes:
        candidates: Which of its pairs may be ranked.
        cones: Its rows in blocks.
        rows: The nodes of the rows, block by block.  (n,)
        left: Their vectors.  (n, F)
        columns: The nodes of the columns; the rows themselves if each of their pairs counts once.  (m,)
        right: Their vectors.  (m, F)
        squares: Their squared lengths.  (m,)
        half: Whether only columns after a row count.
        shift: What all scores have in common.
        width: How many columns are computed at once.
        group: Who has which blocks: this process every so many-th.
    """

    candidates: Candidates
    cones: Cones
    rows: Tensor
    left: Tensor
    columns: Tensor
    right: Tensor
    squares: Tensor
    half: bool
    shift: float
    width: int
    group: Group

    @property
    def num_blocks(self) -> int:
        """How many blocks of rows there are."""
        return len(self.cones.axis)

    def look(self, known: BestPairs) -> None:
        """Offer the columns with the largest bounds of each block."""
        for block, start, bounds in self._each_block():
            few = bounds.topk(min(len(bounds), self.cones.size)).indices
            self._offer(block, start + few, known)

    def search(self, best: BestPairs) -> Iterator[int]:
        """Offer the columns whose bounds reach the threshold; yields after every block."""
        for block, start, bounds in self._each_block():
            reached = bounds.double() + self.shift + self._error(block) >= best.threshold
            for some in reached.nonzero().flatten().split(self.width):
                self._offer(block, start + some, best)
            yield 1

    def _each_block(self) -> Iterator[tuple[int, int, Tensor]]:
        """Each block of rows, its first column, and the bounds of the columns from there on."""
        for first in range(0, self.num_blocks, BLOCKS_AT_ONCE):
            start = first * self.cones.size if self.half else 0
            blocks = slice(first, first + BLOCKS_AT_ONCE)
            bounds = self.cones.bounds(blocks, self.right[start:], self.squares[start:])
            for place, row in enumerate(bounds):
                if (first + place) % self.group.size != self.group.rank:
                    continue
                skipped = place * self.cones.size if self.half else 0
                yield first + place, start + skipped, row[skipped:]

    def _offer(self, block: int, places: Tensor, best: BestPairs) -> None:
        """Compute the pairs of a block of rows and some columns; offer those that come near the threshold.  (c,)"""
        start = block * self.cones.size
        products = self.left[start : start + self.cones.size] @ self.right[places].T  # (R, c)
        error = self._error(block)
        least = best.threshold - error - self.shift
        if len(places) == 0 or float(products.amax()) < least:
            return
        row, column = (products >= least).nonzero().unbind(dim=1)
        if self.half:
            after = places[column] > start + row
            row, column = row[after], column[after]
        pairs = torch.stack([self.rows[start + row], self.columns[places[column]]], dim=1)
        allowed = self.candidates.allowed(pairs)
        scores = products[row[allowed], column[allowed]].double() + self.shift
        best.offer(pairs[allowed], scores, error)

    def _error(self, block: int) -> float:
        """How far the products of a block are off at most, and a score that is rounded to single precision."""
        largest = float(self.cones.length[block]) * math.sqrt(float(self.squares.amax()))
        return rounding(self.left.shape[1]) * largest + 4 * UNIT * abs(self.shift)


def _search(form: ProductForm, candidates: Candidates, rectangle: Rectangle, memory: int, group: Group) -> _Search:
    rows, columns = rectangle.rows, rectangle.columns
    if columns is not None and len(columns) < len(rows):
        rows, columns = columns, rows
    size = min(ROWS, max(1, math.isqrt(memory // BYTES_PER_SCORE)))
    width = min(COLUMNS, most_columns(memory, 0, BYTES_PER_SCORE * size, what="one column of scores"))
    cones = make_cones(form.left[rows], size, group)
    rows = rows[cones.order]
    half = columns is None
    columns = rows if columns is None else columns
    right = form.right[columns]
    squares, shift = right.square().sum(dim=1), float(form.shift)
    return _Search(candidates, cones, rows, form.left[rows], columns, right, squares, half, shift, width, group)
