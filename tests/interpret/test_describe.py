"""Known weights are described by the words that fit them."""

import pytest

from hlgnn.errors import SettingsError
from hlgnn.formulation import ADJ, SYM, Formulation
from hlgnn.interpret import describe


def weights(*betas: float) -> Formulation:
    return Formulation("h", (SYM,) * (len(betas) - 1), betas)


def test_all_weight_on_order_two_is_local() -> None:
    found = describe(weights(*(float(order == 2) for order in range(21))))
    assert (found.largest, found.near_share, found.mean_order, found.range) == (2, 1.0, 2.0, "local")
    assert found.filter == "neither"
    assert found.sentences[0] == "Order 2 has the largest weight: walks of up to 2 steps."


def test_all_weight_on_order_five_is_global() -> None:
    found = describe(weights(*(float(order == 5) for order in range(21))))
    assert (found.largest, found.near_share, found.range) == (5, 0.0, "global")


def test_falling_weights_are_a_low_pass_filter() -> None:
    found = describe(weights(*(0.8**order for order in range(21))))
    assert (found.largest, found.range, found.filter) == (0, "mixed", "low-pass")
    assert "links" in found.sentences[0]
    assert len(found.sentences) == 3


def test_growing_weights_with_alternating_signs_are_a_high_pass_filter() -> None:
    found = describe(weights(*((-1.2) ** order for order in range(6))))
    assert found.filter == "high-pass"
    assert found.sentences[-1].startswith("Weights of orders 1, 3 and 5 are negative")


def test_runs_of_negative_orders_are_named_together() -> None:
    assert "orders 1 to 3 and 5 are" in describe(weights(1.0, -1.0, -1.0, -1.0, 1.0, -1.0)).sentences[-1]
    assert "Weights of order 1 are" in describe(weights(1.0, -1.0)).sentences[-1]


def test_without_a_common_operator_there_is_no_filter() -> None:
    found = describe(Formulation("cn", (ADJ, ADJ), (0.0, 0.0, 1.0)))
    assert found.filter is None
    assert "eigenvalues" in found.sentences[2]


def test_nothing_cannot_be_described() -> None:
    with pytest.raises(SettingsError, match="nothing"):
        describe(weights(0.0, 0.0))
