"""``hlgnn train``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.table import Table

from hlgnn.cli.options import (
    Delimiter,
    FeaturesFile,
    Header,
    IdColumn,
    Memory,
    Offline,
    ProtocolName,
    SourceColumn,
    StripIds,
    TargetColumn,
    TimeColumn,
    Unknown,
    UnknownNodes,
    WeightColumn,
)
from hlgnn.cli.terminal import Terminal, typed_line
from hlgnn.errors import SettingsError
from hlgnn.memory_size import memory_bytes

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.jobs.train_seeds import SeedRuns
    from hlgnn.training.fit import EpochRecord


def train(
    context: typer.Context,
    dataset: Annotated[str | None, typer.Argument(help="A data set, or a table of edges.")] = None,
    model: Annotated[
        str,
        typer.Option(help="A method of 'hlgnn models list'; auto: hlgnn, or the best heuristic if as good."),
    ] = "hlgnn",
    preset: Annotated[
        str, typer.Option(help="default, paper, small, or a TOML file; see 'hlgnn preset list'.")
    ] = "default",
    protocol: ProtocolName = None,
    seed: Annotated[int, typer.Option(help="What split, weights and batches are drawn from.")] = 0,
    runs: Annotated[int, typer.Option(help="How many seeds, counted from --seed.", min=1)] = 1,
    assign: Annotated[list[str] | None, typer.Option("--set", help="Such as train.epochs=50; may be repeated.")] = None,
    out: Annotated[Path | None, typer.Option(help="The folder to write; a new one under runs/ by default.")] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with an interrupted folder.")] = None,
    report: Annotated[
        bool | None,
        typer.Option("--report/--no-report", help="Compare, calibrate, explain; by default for tables of your own."),
    ] = None,
    memory: Memory = "2GB",
    tensorboard: Annotated[bool, typer.Option("--tensorboard", help="Also write curves for TensorBoard.")] = False,
    features: FeaturesFile = None,
    source: SourceColumn = None,
    target: TargetColumn = None,
    weight: WeightColumn = None,
    time: TimeColumn = None,
    header: Header = None,
    delimiter: Delimiter = None,
    strip_ids: StripIds = False,
    id_column: IdColumn = None,
    unknown: UnknownNodes = Unknown.ERROR,
    offline: Offline = False,
) -> None:
    """Train a model under a protocol, and keep settings, curve, weights, result and model card in a folder.

    On a table of your own it also says what it found and what it will take, compares the model with every heuristic,
    and writes a report with ranked, explained links.

    Examples:
      hlgnn train friends.csv --out runs/friends

      hlgnn train cora --runs 3 --out runs/cora

      hlgnn train cora --set train.epochs=5 --set model.propagation.depth=3 --out runs/shallow
    """
    from hlgnn.catalog import DATASETS
    from hlgnn.jobs.presets import settings_for
    from hlgnn.jobs.train_seeds import planned, train_seeds

    terminal: Terminal = context.obj
    columns = {
        "features": None if features is None else str(features),
        "source": source,
        "target": target,
        "weight": weight,
        "time": time,
        "header": header,
        "delimiter": delimiter,
        "strip_ids": strip_ids or None,
        "id_column": id_column,
        "unknown": None if unknown is Unknown.ERROR else unknown.value,
    }
    given = {name: value for name, value in columns.items() if value is not None}
    wanted = model == "auto" or (report if report is not None else runs == 1 and model == "hlgnn")
    if dataset is not None and resume is None and wanted and (report or model == "auto" or dataset not in DATASETS):
        own = Own(dataset, model, preset, protocol, seed, runs, tuple(assign or ()), given, memory_bytes(memory))
        _train_own(terminal, own, out, follow=tensorboard, offline=offline)
        return
    if resume is not None and dataset is None:
        settings, count = planned(resume)
        folder = resume
    elif dataset is None or resume is not None:
        raise SettingsError("Name either a data set or a folder to --resume.", hint="See 'hlgnn train --help'.")
    else:
        settings = settings_for(
            dataset, model_name=model, preset=preset, protocol=protocol, seed=seed, changes=assign or [], columns=given
        )
        folder, count = out or Path("runs") / settings.run_name, runs
    follow = _tensorboard(folder) if tensorboard else lambda _: None
    with terminal.progress() as progress:
        found = train_seeds(
            settings, folder, count, resume=resume is not None, offline=offline, on_epoch=follow, progress=progress
        )
        if resume is not None and count == 1 and settings.dataset not in DATASETS:
            from hlgnn.jobs.study.study import Asked, study_run

            study_run(folder, Asked(command=typed_line(), memory=memory_bytes(memory)), progress=progress)
    terminal.show(runs_table(found, folder), found.document())


@dataclass(frozen=True)
class Own:
    """What was asked about a graph of one's own."""

    dataset: str
    model: str
    preset: str
    protocol: str | None
    seed: int
    runs: int
    changes: tuple[str, ...]
    columns: dict[str, Any]
    memory: int


def _train_own(terminal: Terminal, asked: Own, out: Path | None, *, follow: bool, offline: bool) -> None:
    from hlgnn.cli.report import study_picture
    from hlgnn.jobs.own_run import open_own, train_and_study

    if asked.model not in ("auto", "hlgnn") or asked.runs != 1:
        raise SettingsError(
            "A report is made of one run of hlgnn.", where="--report", hint="Leave out --report, or --model and --runs."
        )
    with terminal.progress() as progress:
        own = open_own(
            asked.dataset,
            preset=asked.preset,
            protocol=asked.protocol,
            seed=asked.seed,
            changes=asked.changes,
            columns=asked.columns,
            offline=offline,
            progress=progress,
        )
        folder = out or Path("runs") / own.settings.run_name
        found = train_and_study(
            own,
            folder,
            command=typed_line(),
            automatic=asked.model == "auto",
            memory=asked.memory,
            tell=terminal.tell,
            on_epoch=_tensorboard(folder) if follow else lambda _: None,
            progress=progress,
        )
    terminal.show(study_picture(found, folder), found)


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
