"""What a trained model is, for a reader of the paper and for a person who is not one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, cast

import torch

from hlgnn.atomic import make_folder
from hlgnn.errors import RunError, SettingsError
from hlgnn.formulation import load_formulation
from hlgnn.interpret import (
    describe,
    has_response,
    nearest_heuristic,
    order_weights,
    plot_order_weights,
    plot_response,
    plot_weights,
)
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.train import load_run
from hlgnn.models import HLGNN
from hlgnn.progress import Progress, silent
from hlgnn.seeds import Seeds

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.formulation import Formulation
    from hlgnn.interpret import Description, Nearest, OrderWeights
    from hlgnn.jobs.train import Prepared

Style = Literal["text", "latex"]
MOST_PAIRS = 2000
WHAT_B_IS = "What the head makes of the cosine of order l at one end with order m at the other, on validation pairs:"


@dataclass(frozen=True)
class Explanation:
    """A learned heuristic.

    Attributes:
        formulation: H.
        formula: H as the paper prints it (Appendix C.2).
        nearest: The classic heuristic that explains it best, and how well.
        description: Range and kind of filter, in words.
        orders: B_lm, if the head reads cosines between orders.
        pictures: Files that were written.
    """

    formulation: Formulation
    formula: str
    nearest: Nearest
    description: Description
    orders: OrderWeights | None
    pictures: tuple[Path, ...]

    def text(self) -> str:
        """For a person."""
        nearest = self.nearest
        lines = [
            self.formula,
            "",
            f"Nearest classic heuristic: {nearest.title} ({nearest.request}), R² = {nearest.r_squared:.3f}.",
            *self.description.sentences,
            *([] if self.orders is None else ["", WHAT_B_IS, *self.orders.lines()]),
            *(f"Picture: {path}" for path in self.pictures),
        ]
        return "\n".join(lines)

    def document(self) -> dict[str, Any]:
        """For a program."""
        return {
            "formula": self.formula,
            "betas": list(self.formulation.betas),
            "operators": [operator._asdict() for operator in self.formulation.operators],
            "tilts": list(self.formulation.tilts),
            "nearest": {
                "heuristic": self.nearest.request,
                "r_squared": self.nearest.r_squared,
                "all": dict(self.nearest.all),
            },
            "largest_order": self.description.largest,
            "share_of_orders_up_to_3": self.description.near_share,
            "mean_order": self.description.mean_order,
            "range": self.description.range,
            "filter": self.description.filter,
            "order_weights": None if self.orders is None else self.orders.to_dict(),
            "pictures": list(self.pictures),
        }


def explain_run(
    folder: Path,
    *,
    style: str = "text",
    plots: Path | None = None,
    offline: bool = False,
    progress: Progress = silent,
) -> Explanation:
    """Read the heuristic that a finished run has learned, and put it beside the classic ones on its own graph.

    Raises:
        RunError: If the run has no result, or its model is no heuristic.
        SettingsError: If there is no such style.
    """
    if style not in ("text", "latex"):
        raise SettingsError(f"There is no format {style!r}.", where="--format", hint="Choose text or latex.")
    run = RunFolder.open(folder)
    run.result()
    path = folder / "formulation.toml"
    if not path.is_file():
        raise RunError(
            f"The model of this run, {run.settings.model_name}, has learned no formulation.",
            where=str(folder),
            hint="Formulas are read from HL-GNN without a transformation or activation between its layers.",
        )
    formulation = load_formulation(path)
    work = load_run(run, offline=offline, progress=progress)
    graph = work.split.graph
    generator = Seeds(run.settings.seed).generator("explain")
    nearest = nearest_heuristic(formulation, graph, generator=generator, progress=progress)
    formula = formulation.formula(cast("Style", style))
    orders = _orders(work)
    pictures = _draw(formulation, orders, plots) if plots is not None else ()
    return Explanation(formulation, formula, nearest, describe(formulation), orders, pictures)


def _orders(work: Prepared) -> OrderWeights | None:
    if not isinstance(work.model, HLGNN):
        return None
    links = work.split.valid
    others = links.negative.reshape(-1, 2)[:MOST_PAIRS]
    return order_weights(
        work.model, work.model.prepare(work.split.graph), torch.cat([links.positive[:MOST_PAIRS], others])
    )


def _draw(formulation: Formulation, orders: OrderWeights | None, folder: Path) -> tuple[Path, ...]:
    make_folder(folder)
    if orders is None:
        return _draw_weights(formulation, folder)
    plot_order_weights(orders, folder / "orders.png")
    return (*_draw_weights(formulation, folder), folder / "orders.png")


def _draw_weights(formulation: Formulation, folder: Path) -> tuple[Path, ...]:
    weights, response = folder / "weights.png", folder / "response.png"
    plot_weights({formulation.name: [formulation.betas]}, weights)
    if not has_response(formulation):
        return (weights,)
    plot_response({formulation.name: formulation}, response)
    return weights, response
