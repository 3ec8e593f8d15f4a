"""What the weights of a heuristic say, in plain words (Sect. 5.4)."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING, Literal

import numpy as np

from hlgnn.errors import SettingsError
from hlgnn.interpret.response import frequency_response, has_response

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation import Formulation

    Floats = npt.NDArray[np.float64]

Range = Literal["local", "mixed", "global"]
Filter = Literal["low-pass", "high-pass", "neither"]

LAST_NEAR = 3
# One side outweighs the other if it has at least twice as much.
OUTWEIGHS = 2.0
POINTS = 2001


@dataclass(frozen=True)
class Description:
    """How far a heuristic looks, and what kind of filter it is.

    Attributes:
        largest: The order with the largest |β|.
        near_share: The share of Σ |β_l| on the orders 0 to 3.
        mean_order: Σ l |β_l| / Σ |β_l|.
        range: ``local`` if near orders have twice the weight of far ones, ``global`` if it is the other way round.
        filter: ``low-pass`` if f² = (Σ β_l λ^l)² is at least twice as large over λ > 0 as over λ < 0, ``high-pass`` the
            other way round; ``None`` if the operators have no common eigenvalues.
        sentences: All of this for a person.
    """

    largest: int
    near_share: float
    mean_order: float
    range: Range
    filter: Filter | None
    sentences: tuple[str, ...]


def describe(formulation: Formulation) -> Description:
    """How far the heuristic looks, whether it smooths, and which orders count against a link.

    Raises:
        SettingsError: If all weights are zero, or one is no number.

    Example:
        >>> from hlgnn.formulation import SYM, Formulation
        >>> for sentence in describe(Formulation("h", (SYM, SYM), (0.1, 0.2, 0.7))).sentences:
        ...     print(sentence)
        Order 2 has the largest weight: walks of up to 2 steps.
        100 % of the weight is on orders 0 to 3, so the neighbourhood decides; the mean order is 1.6.
        It is a low-pass filter: what linked nodes have in common counts, what sets them apart is damped.
    """
    weight: Floats = np.abs(np.asarray(formulation.betas, dtype=np.float64))
    total = float(weight.sum())
    if not np.isfinite(total) or total == 0:
        raise SettingsError(
            "Its weights are all zero, or one is no number: there is nothing to describe.",
            where=f"formulation {formulation.name!r}",
        )
    near = float(weight[: LAST_NEAR + 1].sum()) / total
    mean = float(np.arange(len(weight)) @ weight) / total
    reach, kind, largest = _range(near), _filter(formulation), int(weight.argmax())
    sentences = [_largest_sentence(largest), _range_sentence(reach, near, mean), _filter_sentence(kind)]
    against = _negative_orders(formulation.betas)
    if against:
        sentences.append(f"Weights of {against} are negative: what is found there counts against a link.")
    return Description(largest, near, mean, reach, kind, tuple(sentences))


def _range(near: float) -> Range:
    if near >= OUTWEIGHS * (1 - near):
        return "local"
    return "global" if 1 - near >= OUTWEIGHS * near else "mixed"


def _filter(formulation: Formulation) -> Filter | None:
    if not has_response(formulation):
        return None
    frequencies: Floats = np.linspace(0.0, 1.0, POINTS)
    smooth = float(np.square(frequency_response(formulation, frequencies)).mean())
    alternating = float(np.square(frequency_response(formulation, -frequencies)).mean())
    if smooth >= OUTWEIGHS * alternating:
        return "low-pass"
    return "high-pass" if alternating >= OUTWEIGHS * smooth else "neither"


def _largest_sentence(largest: int) -> str:
    if largest == 0:
        return "Order 0 has the largest weight: what is known of the nodes themselves, without any links."
    steps = "a single step" if largest == 1 else f"up to {largest} steps"
    return f"Order {largest} has the largest weight: walks of {steps}."


def _range_sentence(reach: Range, near: float, mean: float) -> str:
    meaning = {
        "local": "so the neighbourhood decides",
        "mixed": "so near and distant nodes both count",
        "global": "so distant nodes decide",
    }[reach]
    return f"{near:.0%} of the weight is on orders 0 to 3, {meaning}; the mean order is {mean:.1f}.".replace("%", " %")


def _filter_sentence(kind: Filter | None) -> str:
    if kind is None:
        return "Its operators have no common eigenvalues, so it is neither a low-pass nor a high-pass filter."
    return {
        "low-pass": "It is a low-pass filter: what linked nodes have in common counts, what sets them apart is damped.",
        "high-pass": "It is a high-pass filter: what sets linked nodes apart counts more than what they share.",
        "neither": "It treats what linked nodes have in common and what sets them apart about alike.",
    }[kind]


def _negative_orders(betas: tuple[float, ...]) -> str:
    """Runs of orders with negative weights, such as ``orders 5 to 9 and 12``; nothing if there are none."""
    negative = [order for order, beta in enumerate(betas) if beta < 0]
    runs = []
    for _, group in groupby(enumerate(negative), key=lambda item: item[1] - item[0]):
        orders = [order for _, order in group]
        runs.append(str(orders[0]) if len(orders) == 1 else f"{orders[0]} to {orders[-1]}")
    if not runs:
        return ""
    listed = runs[0] if len(runs) == 1 else f"{', '.join(runs[:-1])} and {runs[-1]}"
    return f"order{'s' if len(negative) > 1 else ''} {listed}"
