"""Claims about depth, ranges, starts and layers that are not linear: Figures 2, 3 and 6, Tables 10 and 11."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.claims.spreads import NOISE, above, beside, best, number, score
from hlgnn.experiments.entries import LEAST_SEEDS, published
from hlgnn.experiments.methods import AMAZON, PLANETOID, dataset_title
from hlgnn.experiments.table7 import RUN
from hlgnn.report.numbers import signed

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.experiments.claims.verdict import Finding
    from hlgnn.experiments.outcomes import Outcomes, Spread

DEEP, FEW_LAYERS, ONE_LAYER = "20", ("1", "2", "3", "5"), "1"
ENOUGH, BEYOND = "15", ("20", "30")
WHOLE_RANGE = "orders 0 … L"


def row_is_best(outcomes: Outcomes, row: str, others: tuple[str, ...]) -> Iterator[Finding]:
    """A row is not below others in any column, within the noise."""
    for column in outcomes.columns():
        yield from beside(column, score(outcomes.at(row, column)), _known(outcomes, others, column))


def some_rows_are_best(outcomes: Outcomes, rows: tuple[str, ...]) -> Iterator[Finding]:
    """The best of some rows is above the best of all others, beyond the noise."""
    for column in outcomes.columns():
        chosen = _known(outcomes, rows, column)
        others = _known(outcomes, tuple(each for each in outcomes.rows() if each not in rows), column)
        if chosen and others:
            name, ours = best(chosen)
            yield from beside(f"{column} {name}", ours, others, least=NOISE)


def all_ranges_are_best(outcomes: Outcomes) -> Iterator[Finding]:
    """Figure 2: all orders are above local ones and above the last one, beyond the noise, at every depth of all."""
    for part in outcomes.parts():
        rows, held = outcomes.rows(part), {}
        for depth in outcomes.columns(part):
            found = {row: spread for row in rows if (spread := score(outcomes.at(row, depth, part)))}
            if len(found) == len(rows):
                ours = found.pop(WHOLE_RANGE)
                held[depth] = above(ours, best(found)[1])
        for place, depth in enumerate(held):
            words = f"{part} at {sum(held.values())} of {len(held)} depths"
            yield held[depth], "" if place else words


def depth_does_no_harm(outcomes: Outcomes) -> Iterator[Finding]:
    """Figure 3: twenty layers are not below a few."""
    for row in outcomes.rows():
        few = {f"L = {each}": found for each in FEW_LAYERS if (found := score(outcomes.at(row, each)))}
        yield from beside(f"{row}, L = {DEEP},", score(outcomes.at(row, DEEP)), few)


def one_layer_is_poor(outcomes: Outcomes, rows: tuple[str, ...]) -> Iterator[Finding]:
    """Figure 3: on these data sets twenty layers are above one, beyond the noise."""
    for row in rows:
        shallow = score(outcomes.at(row, ONE_LAYER))
        rivals = {} if shallow is None else {f"L = {ONE_LAYER}": shallow}
        yield from beside(f"{row}, L = {DEEP},", score(outcomes.at(row, DEEP)), rivals, least=NOISE)


def more_layers_do_harm(outcomes: Outcomes, row: str) -> Iterator[Finding]:
    """Figure 3: on this data set fifteen layers are above more, beyond the noise."""
    deeper = {f"L = {each}": found for each in BEYOND if (found := score(outcomes.at(row, each)))}
    yield from beside(f"{row}, L = {ENOUGH},", score(outcomes.at(row, ENOUGH)), deeper, least=NOISE)


def shallow_is_better(outcomes: Outcomes, shallow: str, deep: str) -> Iterator[Finding]:
    """Table 10: a row with few layers is above the same with twenty, beyond the noise."""
    for column in outcomes.columns():
        yield from beside(column, score(outcomes.at(shallow, column)), _known(outcomes, (deep,), column), least=NOISE)


def predictor_alone_suffices(outcomes: Outcomes) -> Iterator[Finding]:
    """Table 11: the head alone on the learned H loses no more than is printed."""
    printed = published("table11")
    for dataset in (*PLANETOID, *AMAZON):
        outcome = outcomes.at(RUN, dataset_title(dataset))
        metric = outcome.first("scratch", "metric") if outcome is not None else None
        if outcome is None or metric is None or len(outcome.results) < LEAST_SEEDS:
            continue
        whole, alone = (outcome.spread(part, "test", metric, scale=100.0) for part in ("scratch", "predictor"))
        if whole is not None and alone is not None:
            more, told = alone.mean - whole.mean, printed["predictor"][dataset][0] - printed["scratch"][dataset][0]
            yield more >= told, f"{outcome.cell.column} {signed(more, 2)} points (printed {signed(told, 2)})"


def predictor_alone_ends_sooner(outcomes: Outcomes) -> Iterator[Finding]:
    """Table 11: the kept epoch of the head alone comes before that of training from scratch."""
    for outcome in outcomes:
        whole, alone = (number(outcome, part, "best_epoch") for part in ("scratch", "predictor"))
        if whole is not None and alone is not None and len(outcome.results) >= LEAST_SEEDS:
            yield alone < whole, f"{outcome.cell.column} epoch {alone:.1f} instead of {whole:.1f}"


def _known(outcomes: Outcomes, rows: tuple[str, ...], column: str) -> dict[str, Spread]:
    return {each: found for each in rows if (found := score(outcomes.at(each, column))) is not None}
