"""Claims about time and parameters: Tables 3, 5, 6 and 7."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.experiments.claims.spreads import number
from hlgnn.experiments.entries import LEAST_SEEDS, published
from hlgnn.experiments.methods import dataset_title, title_of
from hlgnn.experiments.table3 import SYMBOLS, fitted
from hlgnn.experiments.table5 import COLUMNS, EPOCH_SECONDS
from hlgnn.experiments.table6 import ROWS
from hlgnn.report.numbers import count, decimal, significant

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.experiments.claims.verdict import Finding
    from hlgnn.experiments.outcomes import Outcomes

OURS = "hlgnn"
WIDE = f"{title_of(OURS)}, width 256"
"""HL-GNN as wide as the GCN that it is compared with."""

ORDERS = 100.0
"""Several orders of magnitude are at least two."""


def grows_as_stated(outcomes: Outcomes) -> Iterator[Finding]:
    """Table 3: no fitted power of HL-GNN is above the stated one by more than its interval."""
    [stated] = published("table3")[OURS]["terms"]
    for quantity, symbol in SYMBOLS.items():
        law = fitted(outcomes.at(title_of(OURS), symbol))
        if law is not None:
            power = stated.get(quantity, 0)
            words = f"{symbol} to the {decimal(law.exponent, 2)} (stated {decimal(power, 0)})"
            yield law.low <= power, words


def epochs_like(outcomes: Outcomes, others: tuple[str, ...]) -> Iterator[Finding]:
    """Table 5: an epoch of HL-GNN takes no more times that of each of these than is printed."""
    for dataset, name, ratio, told in _ratios(outcomes, others):
        words = f"{dataset_title(dataset)} {significant(1 / ratio, 2)} times {title_of(name)} (printed {1 / told:.2g})"
        yield ratio >= told, words


def faster_by_orders(outcomes: Outcomes, others: tuple[str, ...]) -> Iterator[Finding]:
    """Table 5: an epoch of each of these takes at least a hundred times that of HL-GNN."""
    for dataset, name, ratio, told in _ratios(outcomes, others):
        words = f"{dataset_title(dataset)} {title_of(name)} {significant(ratio, 2)} times (printed {told:.0f})"
        yield ratio >= ORDERS, words


def fewest_parameters(outcomes: Outcomes, part: str) -> Iterator[Finding]:
    """Table 6: HL-GNN has fewer parameters than every other method."""
    for column in outcomes.columns(part):
        known = {each: number(outcomes.at(title_of(each), column, part), "parameters") for each in ROWS}
        found = {each: value for each, value in known.items() if value is not None}
        ours = found.pop(OURS, None)
        if ours is not None and found:
            least = min(found, key=lambda each: found[each])
            told = f"{title_of(least)}, least of {len(found)}"
            words = f"{column} {count(round(ours))} beside {count(round(found[least]))} ({told})"
            yield ours < found[least], words


def predictor_alone_is_faster(outcomes: Outcomes) -> Iterator[Finding]:
    """Table 7: the head alone takes less time."""
    for outcome in outcomes:
        whole, alone = (number(outcome, part, "seconds") for part in ("scratch", "predictor"))
        if whole and alone is not None and len(outcome.results) >= LEAST_SEEDS:
            yield alone < whole, f"{outcome.cell.column} {significant(alone / whole, 2)} of the seconds"


def _ratios(outcomes: Outcomes, others: tuple[str, ...]) -> Iterator[tuple[str, str, float, float]]:
    """For each data set and method how many times the seconds of HL-GNN its epoch takes, here and as printed."""
    printed = published("table5")
    for dataset in COLUMNS:
        ours = _seconds(outcomes, WIDE, dataset)
        for name in others:
            other, told = _seconds(outcomes, title_of(name), dataset), printed[name].get(dataset)
            if ours and other and told:
                yield dataset, name, other / ours, told / printed[OURS][dataset]


def _seconds(outcomes: Outcomes, row: str, dataset: str) -> float | None:
    return number(outcomes.at(row, dataset_title(dataset)), EPOCH_SECONDS)
