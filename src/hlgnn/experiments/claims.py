"""The claims of the paper, each with the experiment that tries it and the rule that judges it from the store."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hlgnn.catalog import DATASETS
from hlgnn.experiments.agreement_entries import ROUNDING
from hlgnn.experiments.methods import HEURISTIC_ROWS, dataset_title, title_of
from hlgnn.experiments.table5 import EPOCH_SECONDS
from hlgnn.report.numbers import signed, significant

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping

    from hlgnn.experiments.outcomes import CellOutcome, Outcomes, Spread

    Finding = tuple[bool, str]  # whether a comparison holds, and its numbers

OURS, UNTRAINED = "hlgnn", "hlgnn-zero"
DEEP, DEPTHS_COMPARED = "20", ("1", "2", "3", "5")
NOISE = 2.0
"""Standard errors of a difference that count as noise."""

LEAST_SEEDS = 3
"""Seeds without which nothing is said: a single one has no noise to compare with."""


@dataclass(frozen=True)
class Verdict:
    """What the store says about a claim.

    Attributes:
        kind: Whether it holds; ``different`` if it holds in part, ``not measured`` without enough results.
        figure: The numbers that this rests on.
    """

    kind: Literal["reproduced", "not reproduced", "different", "not measured"]
    figure: str


@dataclass(frozen=True)
class Claim:
    """A sentence of the paper.

    Attributes:
        text: What it says.
        place: Where.
        experiment: Which experiment tries it, by name.
        judge: What its results say.
    """

    text: str
    place: str
    experiment: str
    judge: Callable[[Outcomes], Verdict]


UNKNOWN = Verdict("not measured", "")


def verdict(findings: Iterable[Finding]) -> Verdict:
    """All, none or some of the comparisons hold."""
    found = list(findings)
    if not found:
        return UNKNOWN
    figure, holds = "; ".join(words for _, words in found if words), [held for held, _ in found]
    if all(holds):
        return Verdict("reproduced", figure)
    return Verdict("different" if any(holds) else "not reproduced", figure)


def by(find: Callable[..., Iterator[Finding]], *how: str | tuple[str, ...]) -> Callable[[Outcomes], Verdict]:
    """A judge that goes by what is found, told how to look."""
    return lambda outcomes: verdict(find(outcomes, *how))


def formulas_hold(outcomes: Outcomes, kind: str) -> Iterator[Finding]:
    """Every matrix or heuristic equals its formula to rounding."""
    found = [each for outcome in outcomes for result in outcome.results.values() for each in result[kind].values()]
    shares = [each["difference"] / max(each["largest"], 1e-300) for each in found]
    for place, share in enumerate(sorted(shares, reverse=True)):
        yield share <= ROUNDING, "" if place else f"the largest relative difference is {share:.1e}"


def best_method(outcomes: Outcomes, protocol: str) -> Iterator[Finding]:
    """HL-GNN is above every other method under one protocol, beyond the noise, where one that learns is measured.

    Itself untrained is no other method.
    """
    simple = {title_of(name) for name in (*HEURISTIC_ROWS, "regression")}
    for dataset in DATASETS:
        scores = _scores(outcomes, dataset, protocol)
        ours = scores.pop(title_of(OURS), None)
        scores.pop(title_of(UNTRAINED), None)
        if ours is not None and len(ours.values) >= LEAST_SEEDS and scores.keys() - simple:
            yield from _beside(dataset_title(dataset), ours, scores, least=NOISE)


def row_is_best(outcomes: Outcomes, row: str, others: tuple[str, ...]) -> Iterator[Finding]:
    """A row is not below others in any column, within the noise."""
    for column in outcomes.columns():
        rivals = {each: found for each in others if (found := _score(outcomes.at(each, column))) is not None}
        yield from _beside(column, _score(outcomes.at(row, column)), rivals)


def all_ranges_are_best(outcomes: Outcomes) -> Iterator[Finding]:
    """Figure 2: all orders are not below local ones and the last one, at twenty layers."""
    for part in outcomes.parts():
        rows = outcomes.rows(part)
        found = {row: spread for row in rows if (spread := _score(outcomes.at(row, DEEP, part))) is not None}
        yield from _beside(part, found.pop("orders 0 … L", None), found)


def _beside(where: str, ours: Spread | None, rivals: Mapping[str, Spread], least: float = -NOISE) -> Iterator[Finding]:
    """Whether ours is at least so many standard errors above the best other one; nothing if there is none."""
    if ours is not None and rivals:
        name, other = max(rivals.items(), key=lambda each: each[1].mean)
        yield _above(ours, other, least), f"{where} {ours.mean:.1f} beside {other.mean:.1f} ({name})"


def _above(ours: Spread, other: Spread, least: float) -> bool:
    error: float = (ours.error**2 + other.error**2) ** 0.5
    difference = ours.mean - other.mean
    return difference > least * error if least > 0 else difference >= least * error


def _scores(outcomes: Outcomes, dataset: str, protocol: str) -> dict[str, Spread]:
    metric = "mrr" if protocol == "heart" else DATASETS[dataset].metric
    cells = [each for each in outcomes if each.cell.part == protocol and each.cell.column == dataset_title(dataset)]
    spreads = {each.cell.row: each.spread("test", metric, scale=100.0) for each in cells}
    return {row: spread for row, spread in spreads.items() if spread is not None}


def _score(outcome: CellOutcome | None) -> Spread | None:
    """The metric of the data set of a cell, in percent."""
    metric = None if outcome is None else outcome.first("metric")
    found = outcome.spread("test", metric, scale=100.0) if outcome is not None and metric else None
    return found if found is not None and len(found.values) >= LEAST_SEEDS else None


def depth_does_no_harm(outcomes: Outcomes) -> Iterator[Finding]:
    """Figure 3: twenty layers are not below a few."""
    for row in outcomes.rows():
        deep = _score(outcomes.at(row, DEEP))
        few = [found for each in DEPTHS_COMPARED if (found := _score(outcomes.at(row, each))) is not None]
        if deep is not None and few:
            best = max(few, key=lambda each: each.mean)
            words = f"{row} {deep.mean:.1f} at L = {DEEP}, {best.mean:.1f} at most at L ≤ {DEPTHS_COMPARED[-1]}"
            yield _above(deep, best, -NOISE), words


def cheaper_than_gcn(outcomes: Outcomes) -> Iterator[Finding]:
    """Table 5: an epoch of HL-GNN at width 256 takes less than one of GCN."""
    for column in outcomes.columns():
        rows = (f"{title_of(OURS)}, width 256", title_of("gcn"))
        ours, other = (_number(outcomes.at(row, column), EPOCH_SECONDS) for row in rows)
        if ours is not None and other:
            yield ours < other, f"{column} {significant(ours / other, 2)} times the seconds of GCN"


def predictor_alone_suffices(outcomes: Outcomes) -> Iterator[Finding]:
    """Table 11: the head alone on the learned H is within a point of training from scratch."""
    for outcome in outcomes:
        metric = outcome.first("scratch", "metric")
        if metric is None or len(outcome.results) < LEAST_SEEDS:
            continue
        whole, alone = (outcome.spread(part, "test", metric, scale=100.0) for part in ("scratch", "predictor"))
        if whole is not None and alone is not None:
            more = alone.mean - whole.mean
            yield abs(more) <= 1.0, f"{outcome.cell.column} {signed(more, 2)} points"


def predictor_alone_is_faster(outcomes: Outcomes) -> Iterator[Finding]:
    """Table 7: the head alone takes less time."""
    for outcome in outcomes:
        whole, alone = (_number(outcome, part, "seconds") for part in ("scratch", "predictor"))
        if whole and alone is not None and len(outcome.results) >= LEAST_SEEDS:
            yield alone < whole, f"{outcome.cell.column} {significant(alone / whole, 2)} of the seconds"


def rings_are_found(outcomes: Outcomes, recipe: str) -> Iterator[Finding]:
    """Figure 5: the order that closes the ring has the largest weight, for most seeds on both networks."""
    for column in outcomes.columns():
        outcome = outcomes.at(recipe, column)
        results = list(outcome.results.values()) if outcome is not None else []
        if len(results) >= LEAST_SEEDS:
            hits = sum(each["largest"] == each["expected"] for each in results)
            yield 2 * hits > len(results), f"{column} {hits} of {len(results)} seeds"


def _number(outcome: CellOutcome | None, *path: str) -> float | None:
    found = outcome.spread(*path) if outcome is not None else None
    return None if found is None else found.mean


PLAIN, VARIANTS = "HL-GNN", ("with ReLU", "with transformation", "with ReLU and transformation")
CLAIMS = (
    Claim("The operators are the matrices of Table 1.", "Table 1", "table1", by(formulas_hold, "operators")),
    Claim(
        "CN, LLHN, RA, KI, GLHN, RWR, LPI and LRW are instances of Eq. 1.",
        "Table 2",
        "table2",
        by(formulas_hold, "heuristics"),
    ),
    *(
        Claim(f"HL-GNN is the best of all methods (under `{name}`).", "Table 4", "table4", by(best_method, name))
        for name in ("paper", "ncn", "buddy", "heart", "ogb")
    ),
    Claim("An epoch of HL-GNN takes less time than one of a GCN.", "Table 5", "table5", by(cheaper_than_gcn)),
    Claim("Training the predictor alone takes less time.", "Table 7", "table7", by(predictor_alone_is_faster)),
    Claim("Training the predictor alone does about as well.", "Table 11", "table11", by(predictor_alone_suffices)),
    Claim("Transformations and activations do not help.", "Table 10", "table10", by(row_is_best, PLAIN, VARIANTS)),
    Claim("Local and global orders together do best.", "Figure 2", "figure2", by(all_ranges_are_best)),
    Claim("Twenty layers do no harm.", "Figure 3", "figure3", by(depth_does_no_harm)),
    Claim(
        "Order 2 is largest on triangles and order 5 on hexagons, by the text's settings.",
        "Figure 5",
        "figure5",
        by(rings_are_found, "paper"),
    ),
    Claim("The same, where the score is H_ij itself.", "Figure 5", "figure5", by(rings_are_found, "walks")),
)
"""In the order of the paper's tables and figures."""
