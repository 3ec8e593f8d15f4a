"""The sentence about a list, word for word."""

from __future__ import annotations

from dataclasses import replace

import pytest

from hlgnn.calibration import Estimate, statement

USUAL = Estimate(k=100, missing=528, held_out=528, mean=37.2, spread=6.1, low=27, high=47, level=0.9)


def test_the_usual_sentence() -> None:
    assert statement(USUAL) == (
        "Review these 100: expect 37 ± 6 to be real (90 % interval 27–47), "
        "if about as many links are missing as were held out (528)."
    )


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"missing": 200}, "if about 200 links are missing (528 were held out to learn this)."),
        ({"mean": 0.0, "low": 0, "high": 3}, "expect few or none to be real, at most 3 (90 % interval 0–3)"),
        ({"mean": 0.0, "low": 0, "high": 0}, "expect none to be real (90 % sure)"),
        ({"mean": 0.31, "low": 0, "high": 2}, "expect less than one to be real, 0.3 on average (90 % interval 0–2)"),
        ({"k": 1, "mean": 0.314, "low": 0, "high": 1}, "Review this one: it is real with a chance of about 31 %"),
        ({"k": 1, "mean": 1.0, "low": 0, "high": 1}, "chance of about 100 %"),
        ({"spread": 0.2}, "expect 37 ± 1 to be real"),
        ({"level": 0.95}, "95 % interval"),
    ],
)
def test_other_numbers(changes: dict[str, float], part: str) -> None:
    assert part in statement(replace(USUAL, **changes))  # type: ignore[arg-type]


def test_fewer_than_were_asked_for() -> None:
    assert statement(USUAL, asked=500).startswith("There are only 100 candidates, not 500. Review these 100: expect")
    assert statement(USUAL, asked=100) == statement(USUAL, asked=20) == statement(USUAL)
    assert statement(replace(USUAL, k=0)) == "There is nothing to review: no candidate is left."
