"""``hlgnn train``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich import box
from rich.table import Table

from hlgnn.cli.options import FeaturesFile, Offline, ProtocolName, SourceColumn, TargetColumn, TimeColumn, WeightColumn
from hlgnn.cli.terminal import Terminal
from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.jobs.train_seeds import SeedRuns
    from hlgnn.training.fit import EpochRecord


def train(
    context: typer.Context,
    dataset: Annotated[str | None, typer.Argument(help="A data set, or a table of edges.")] = None,
    model: Annotated[str, typer.Option(help="hlgnn, or frozen: a head on a fixed formulation.")] = "hlgnn",
    preset: Annotated[
        str, typer.Option(help="default, paper, small, or a TOML file; see 'hlgnn preset list'.")
    ] = "default",
    protocol: ProtocolName = None,
    seed: Annotated[int, typer.Option(help="What split, weights and batches are drawn from.")] = 0,
    runs: Annotated[int, typer.Option(help="How many seeds, counted from --seed.", min=1)] = 1,
    assign: Annotated[list[str] | None, typer.Option("--set", help="Such as train.epochs=50; may be repeated.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder to write; a new one under runs/ by default.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with an interrupted folder.")] = None,
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also write curves for TensorBoard.")] = False,
    features: FeaturesFile = None,
    source: SourceColumn = None,
    target: TargetColumn = None,
    weight: WeightColumn = None,
    time: TimeColumn = None,
    offline: Offline = False,
) -> None:
    """Train a model under a protocol, and keep settings, curve, weights, result and model card in a folder.

    Examples:
      hlgnn train cora --runs 3 --out runs/cora

      hlgnn train cora --set train.epochs=5 --set model.propagation.depth=3 --out runs/shallow
    """
    from hlgnn.jobs.presets import settings_for
    from hlgnn.jobs.train_seeds import planned, train_seeds

    terminal: Terminal = context.obj
    if resume is not None and dataset is None:
        settings, count = planned(resume)
        folder = resume
    elif dataset is None or resume is not None:
        raise SettingsError("Name either a data set or a folder to --resume.", hint="See 'hlgnn train --help'.")
    else:
        columns = {"features": features, "source": source, "target": target, "weight": weight, "time": time}
        given = {name: str(value) for name, value in columns.items() if value is not None}
        settings = settings_for(
            dataset, model_name=model, preset=preset, protocol=protocol, seed=seed, changes=assign or [], columns=given
        )
        folder, count = out or Path("runs") / settings.run_name, runs
    follow = _tensorboard(folder) if tensorboard else lambda _: None
    with terminal.progress() as progress:
        found = train_seeds(
            settings, folder, count, resume=resume is not None, offline=offline, on_epoch=follow, progress=progress
        )
    terminal.show(runs_table(found, folder), found.document())


def runs_table(found: SeedRuns, folder: Path) -> Table:
    """Every seed, and the mean of all."""
    from hlgnn.jobs.seed_values import SeedValues

    first = found.runs[0].result()
    metric = first["metric"]
    caption = f"{first['dataset']} under {first['protocol']}, {first['model']} ({first['preset']}), in {folder}"
    table = Table(box=box.SIMPLE_HEAD, caption=caption, caption_justify="left")
    for heading in ("seed", f"{metric}, test", f"{metric}, valid", "kept epoch", "seconds"):
        table.add_column(heading, justify="right")
    for run in found.runs:
        result = run.result()
        numbers = [f"{100 * result[part].get(metric, float('nan')):.2f}" for part in ("test", "valid")]
        table.add_row(str(result["seed"]), *numbers, str(result["best_epoch"]), f"{result['seconds']:.1f}")
    if len(found.runs) > 1:
        means = []
        for part in ("test", "valid"):
            values: SeedValues = found.values(metric, part)
            means.append(f"{100 * values.mean:.2f} ± {100 * values.deviation:.2f}" if values else "–")
        table.add_section()
        table.add_row("mean", *means, "", "")
    return table


def _tensorboard(folder: Path) -> Callable[[EpochRecord], None]:
    from hlgnn.jobs.tensorboard import curve_writer

    return curve_writer(folder)
