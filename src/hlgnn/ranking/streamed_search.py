"""The best pairs where each has to be scored by itself: all of them, in blocks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from hlgnn.formulation.memory import most_columns
from hlgnn.ranking.best_pairs import BestPairs
from hlgnn.ranking.cones import UNIT
from hlgnn.ranking.exact_scores import PAIRS_AT_ONCE, ExactScores, quick_scores
from hlgnn.ranking.rectangles import rectangles

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hlgnn.models import LinkModel
    from hlgnn.processes import Group
    from hlgnn.progress import Progress
    from hlgnn.ranking.candidates import Candidates
    from hlgnn.ranking.rectangles import Rectangle

WHAT = "Best links"
BLOCKS_EACH = 8
"""So many blocks of rows each process has at least: later rows have fewer pairs."""
BYTES_PER_PAIR = 64
MOST_PAIRS = 1 << 20

# A pair is passed over only if its rounding error would have to be so many times the largest one that was seen.
SAFETY, LEAST_SAFETY = 64, 8


def search_stream(
    model: LinkModel[Any, Any],
    state: Any,
    candidates: Candidates,
    k: int,
    memory: int,
    progress: Progress,
    group: Group,
) -> BestPairs:
    """The best k of the allowed pairs; of several processes each looks at some blocks, and finds the best of those.

    Single precision finds pairs that come near the best, double precision decides among them. How near is learned from
    the rounding errors of the first pairs; if those of the best turn out to be larger, everything is done again.
    """
    exact = ExactScores(model, state)
    error = _first_error(model, state, candidates, exact, memory)
    while True:
        best = BestPairs(k, exact, candidates.minimum)
        for pairs, done, total in _each_block(candidates, memory, group):
            for batch in pairs.split(PAIRS_AT_ONCE):
                best.offer(batch, quick_scores(model, state, batch), error)
            progress(WHAT, done, total)
        best.settle()
        if LEAST_SAFETY * best.error_seen <= error:
            return best
        error = SAFETY * best.error_seen


def _first_error(
    model: LinkModel[Any, Any], state: Any, candidates: Candidates, exact: ExactScores, memory: int
) -> float:
    """How far single precision is off, by some of the pairs, with much to spare."""
    sample = next((pairs for pairs, _, _ in _each_block(candidates, memory) if len(pairs)), None)
    if sample is None:
        return 0.0
    sample = sample[:: -(-len(sample) // PAIRS_AT_ONCE)]
    quick, precise = quick_scores(model, state, sample).double(), exact(sample)
    return max(SAFETY * float((quick - precise).abs().max()), SAFETY * UNIT * float(precise.abs().max()))


def _each_block(candidates: Candidates, memory: int, group: Group | None = None) -> Iterator[tuple[Tensor, int, int]]:
    """Allowed pairs, how many places were looked at so far, and how many there are.  (P, 2)

    Of a group, this process gets every so many-th block.
    """
    size, rank = (1, 0) if group is None else (group.size, group.rank)
    parts = rectangles(candidates)
    total, done = -(-sum(each.size for each in parts) // size), 0
    most = min(MOST_PAIRS, most_columns(memory, 0, BYTES_PER_PAIR, what="one pair"))
    for rectangle in parts:
        for pairs, count in _blocks_of(rectangle, candidates, most, rank, size):
            done += count
            yield pairs, min(done, total), total


def _blocks_of(
    rectangle: Rectangle, candidates: Candidates, most: int, rank: int, size: int
) -> Iterator[tuple[Tensor, int]]:
    """The allowed pairs of each block of at most so many places, and how many places it has.

    Rows are cut so that each of ``size`` processes gets some, and the one at ``rank`` gets its own.
    """
    rows, given = rectangle.rows, rectangle.columns
    width = min(most, len(rows) if given is None else len(given))
    height = max(1, min(most // width, -(-len(rows) // (BLOCKS_EACH * size)) if size > 1 else len(rows)))
    for top in range(rank * height, len(rows), size * height):
        block = rows[top : top + height]
        columns = rows[top:] if given is None else given
        for left in range(0, len(columns), width):
            some = columns[left : left + width]
            mask = candidates.mask(block, some)
            places = mask.numel()
            if given is None:  # ascending nodes, so that i < j counts every pair once
                after = some[None, :] > block[:, None]
                mask &= after
                places = int(after.sum())
            row, column = mask.nonzero().unbind(dim=1)
            yield torch.stack([block[row], some[column]], dim=1).sort(dim=1).values, places
