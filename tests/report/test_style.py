"""Colours have the contrast that WCAG asks for at level AA, in light and in dark."""

from __future__ import annotations

import re
from importlib import resources

import pytest

STYLE = resources.files("hlgnn.report").joinpath("style.css").read_text(encoding="utf-8")


def colours(scheme: str) -> dict[str, str]:
    light, dark = (dict(re.findall(r"--(\w+): (#[0-9a-f]{6});", block)) for block in STYLE.split(":root {")[1:3])
    return light if scheme == "light" else {**light, **dark}


def contrast(one: str, two: str) -> float:
    """The ratio of relative luminances (WCAG 2.2, 1.4.3)."""
    bright, dim = sorted((_luminance(one), _luminance(two)), reverse=True)
    return (bright + 0.05) / (dim + 0.05)


def _luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def test_contrast_of_black_and_white() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("ground", ["page", "panel", "tint"])
@pytest.mark.parametrize("ink", ["text", "quiet", "accent"])
def test_letters_can_be_read(scheme: str, ground: str, ink: str) -> None:
    assert contrast(colours(scheme)[ink], colours(scheme)[ground]) >= 4.5


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(
    ("ink", "ground"),
    [
        ("bar", "page"),
        ("fill", "page"),
        ("accent", "page"),
        ("against", "page"),
        ("whisker", "bar"),
        ("whisker", "fill"),
    ],
)
def test_marks_can_be_seen(scheme: str, ink: str, ground: str) -> None:
    assert contrast(colours(scheme)[ink], colours(scheme)[ground]) >= 3


def test_every_colour_is_a_variable() -> None:
    rules = re.sub(r"--\w+: #[0-9a-f]{6};", "", STYLE)
    assert not re.search(r"#[0-9a-fA-F]{3,8}\b", rules)


def test_every_variable_is_known() -> None:
    assert set(re.findall(r"var\((--[\w-]+)\)", STYLE)) <= set(re.findall(r"(--[\w-]+):", STYLE))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("place", range(10))
def test_series_can_be_seen(scheme: str, place: int) -> None:
    assert contrast(colours(scheme)[f"series{place}"], colours(scheme)["page"]) >= 3
    assert f".series-{place} {{ --ink: var(--series{place}); }}" in STYLE
