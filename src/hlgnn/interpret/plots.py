"""Pictures of weights and of frequency responses, as PNG or SVG; matplotlib is imported only when one is drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from hlgnn.atomic import atomic_path
from hlgnn.errors import MissingPackageError, SettingsError
from hlgnn.interpret.response import frequency_response

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from hlgnn.formulation import Formulation
    from hlgnn.interpret.order_weights import OrderWeights

FORMATS = ("png", "svg")
MOST_COLUMNS = 2
POINTS = 201


def plot_weights(panels: Mapping[str, Sequence[Sequence[float]]], path: Path) -> None:
    """Bars of β by order, one panel for each title (Figures 4 and 5).

    Args:
        panels: For each title one list β_0 … β_L, or several: bars are then means, and whiskers go from the least to
            the largest.
        path: Where to; its suffix, .png or .svg, says how.

    Raises:
        MissingPackageError: If matplotlib is not installed.
        SettingsError: If there is nothing to draw, or the suffix is another one.
        OutputError: If it cannot be written.
    """
    if not panels or not all(len(lists) for lists in panels.values()):
        raise SettingsError("There are no weights to draw.", where="panels")
    columns = min(MOST_COLUMNS, len(panels))
    figure, axes = _figure(-(-len(panels) // columns), columns)
    for axis, (title, lists) in zip(axes, panels.items(), strict=False):
        betas = np.asarray(lists, dtype=np.float64)  # (R, L + 1)
        mean, orders = betas.mean(axis=0), np.arange(betas.shape[1])
        reach = np.stack([mean - betas.min(axis=0), betas.max(axis=0) - mean])  # (2, L + 1)
        axis.bar(orders, mean, color="#3b6ea8", yerr=reach if len(betas) > 1 else None, ecolor="#444444", capsize=1.5)
        axis.axhline(0.0, color="black", linewidth=0.6)
        axis.set(title=title, xlabel="order l", ylabel="weight β_l")
        axis.xaxis.get_major_locator().set_params(integer=True)
    for axis in axes[len(panels) :]:
        axis.set_axis_off()
    _save(figure, path)


def plot_order_weights(weights: OrderWeights, path: Path) -> None:
    """B_lm as a table of colours, blue above nought and red below.

    Raises:
        MissingPackageError: If matplotlib is not installed.
        SettingsError: If the suffix is neither .png nor .svg.
        OutputError: If it cannot be written.
    """
    matrix = np.asarray(weights.matrix)
    most = float(np.abs(matrix).max()) or 1.0
    figure, (axis,) = _figure(1, 1)
    shown = axis.imshow(matrix, cmap="RdBu", vmin=-most, vmax=most)
    places = range(len(weights.orders))
    axis.set(xlabel="order m", ylabel="order l", title="weight B_lm of the cosine of orders")
    axis.set_xticks(places, [str(order) for order in weights.orders])
    axis.set_yticks(places, [str(order) for order in weights.orders])
    figure.colorbar(shown, ax=axis)
    _save(figure, path)


def plot_response(formulations: Mapping[str, Formulation], path: Path) -> None:
    """The curve f(λ) = Σ β_l λ^l on [−1, 1] of each formulation, by its title.

    Raises:
        MissingPackageError: If matplotlib is not installed.
        SettingsError: If there is nothing to draw, if one has no response, or if the suffix is neither .png nor .svg.
        OutputError: If it cannot be written.
    """
    if not formulations:
        raise SettingsError("There is no response to draw.", where="formulations")
    frequencies = np.linspace(-1.0, 1.0, POINTS)
    figure, (axis,) = _figure(1, 1)
    for title, formulation in formulations.items():
        axis.plot(frequencies, frequency_response(formulation, frequencies), label=title)
    axis.axhline(0.0, color="black", linewidth=0.6)
    axis.set(xlabel="eigenvalue λ (1: smooth, −1: alternating)", ylabel="f(λ)")
    axis.legend()
    _save(figure, path)


def _figure(rows: int, columns: int) -> tuple[Any, list[Any]]:
    """A figure of its own, known to no global state, and its axes row by row."""
    try:
        from matplotlib.backends.backend_agg import FigureCanvasAgg  # noqa: PLC0415 - optional
        from matplotlib.figure import Figure  # noqa: PLC0415
    except ImportError as error:
        raise MissingPackageError("matplotlib is not installed.", hint='Run: pip install "hlgnn[plots]"') from error
    figure = Figure(figsize=(5.0 * columns, 3.2 * rows), layout="constrained")
    FigureCanvasAgg(figure)
    return figure, list(figure.subplots(rows, columns, squeeze=False).flat)


def _save(figure: Any, path: Path) -> None:
    kind = path.suffix.lower().removeprefix(".")
    if kind not in FORMATS:
        raise SettingsError(f"Pictures are not written as {kind!r}.", where=str(path), hint="Use .png or .svg.")
    with atomic_path(path) as temporary:
        figure.savefig(temporary, format=kind, metadata={"Date": None} if kind == "svg" else None)
