"""What a review of the best candidates is worth, as a sentence."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hlgnn.calibration.by_rank import Estimate


def statement(estimate: Estimate, *, asked: int | None = None) -> str:
    """The sentence for a list.

    Args:
        estimate: What is expected of the list.
        asked: How many candidates were asked for, if there are fewer of them.

    Example:
        >>> from hlgnn.calibration.by_rank import Estimate
        >>> text = statement(Estimate(100, 528, 528, mean=37.2, spread=6.1, low=27, high=47, level=0.9))
        >>> text[:69]
        'Review these 100: expect 37 ± 6 to be real (90 % interval 27–47), if '
        >>> text[69:]
        'about as many links are missing as were held out (528).'
    """
    if estimate.k == 0:
        return "There is nothing to review: no candidate is left."
    fewer = "" if asked is None or asked <= estimate.k else f"There are only {estimate.k} candidates, not {asked}. "
    return f"{fewer}Review {_these(estimate.k)}: {_expectation(estimate)}, {_condition(estimate)}."


def _these(k: int) -> str:
    return "this one" if k == 1 else f"these {k}"


def _expectation(estimate: Estimate) -> str:
    level = f"{100 * estimate.level:.3g} %"
    if estimate.high == 0:
        return f"expect none to be real ({level} sure)"
    if estimate.mean == 0:
        return f"expect few or none to be real, at most {estimate.high} ({level} interval 0–{estimate.high})"
    if estimate.k == 1:
        return f"it is real with a chance of about {_percent(estimate.mean)}"
    interval = f"{level} interval {estimate.low}–{estimate.high}"
    if estimate.mean < 0.95:
        return f"expect less than one to be real, {estimate.mean:.1g} on average ({interval})"
    return f"expect {round(estimate.mean)} ± {max(1, round(estimate.spread))} to be real ({interval})"


def _percent(chance: float) -> str:
    return f"{100 * chance:.2g} %" if chance < 0.995 else "100 %"


def _condition(estimate: Estimate) -> str:
    if estimate.missing == estimate.held_out:
        return f"if about as many links are missing as were held out ({estimate.held_out})"
    return f"if about {estimate.missing} links are missing ({estimate.held_out} were held out to learn this)"
