"""``hlgnn train``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich import box
from rich.table import Table

from hlgnn.cli.launch import on_processes
from hlgnn.cli.options import (
    Delimiter,
    FeaturesFile,
    Header,
    IdColumn,
    Offline,
    ProcessCount,
    ProtocolName,
    Shard,
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
from hlgnn.place import find_place

if TYPE_CHECKING:
    from collections.abc import Callable

    from rich.console import RenderableType

    from hlgnn.data import Dataset
    from hlgnn.jobs.own_run import OwnRun
    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.jobs.train_seeds import SeedRuns
    from hlgnn.processes import Processes
    from hlgnn.progress import Progress
    from hlgnn.training.fit import EpochRecord


def train(
    context: typer.Context,
    dataset: Annotated[str | None, typer.Argument(help="A data set, or a table of edges.")] = None,
    model: Annotated[
        str,
        typer.Option(help="A method of 'hlgnn models list'; auto: hlgnn at its best, or a heuristic if as good."),
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
    memory: Annotated[
        str | None, typer.Option(help="What each process may take, such as 6GB: a way to train that fits is chosen.")
    ] = None,
    processes: ProcessCount = None,
    shard: Annotated[
        Shard, typer.Option(help="What processes share: pairs of a batch, columns of Z, or both on a mesh.")
    ] = Shard.PAIRS,
    restarts: Annotated[int, typer.Option(help="How often to start again when a process is killed.", min=0)] = 3,
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
    terminal: Terminal = context.obj
    on_processes(terminal, processes, restarts)
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
    asked = Asked(
        dataset,
        model,
        preset,
        protocol,
        seed,
        runs,
        tuple(assign or ()),
        given,
        out,
        resume,
        report,
        None if memory is None else memory_bytes(memory),
        tensorboard,
        offline,
    )
    from hlgnn.processes import joined

    with joined(shard.value) as everyone:
        if asked.is_own:
            _train_own(terminal, asked, everyone)
        else:
            _train_seeds(terminal, asked, everyone)


@dataclass(frozen=True)
class Asked:
    """What was asked for on the line."""

    dataset: str | None
    model: str
    preset: str
    protocol: str | None
    seed: int
    runs: int
    changes: tuple[str, ...]
    columns: dict[str, Any]
    out: Path | None
    resume: Path | None
    report: bool | None
    memory: int | None
    tensorboard: bool
    offline: bool

    @property
    def is_own(self) -> bool:
        """Whether a report is made: for a graph of one's own, or if it is asked for."""
        from hlgnn.catalog import DATASETS

        if self.dataset is None or self.resume is not None:
            return False
        asked = bool(self.report) or self.model == "auto" or self.dataset not in DATASETS
        usual = self.runs == 1 and self.model == "hlgnn"
        return asked and (self.model == "auto" or (usual if self.report is None else self.report))


def _train_seeds(terminal: Terminal, asked: Asked, processes: Processes) -> None:
    from hlgnn.catalog import DATASETS
    from hlgnn.jobs.allocator import keep_freed_memory
    from hlgnn.jobs.train_seeds import is_begun, train_seeds

    resume = asked.resume is not None
    study: dict[str, Any] | None = None
    with terminal.progress() as progress:
        settings, folder, count, dataset = _told(asked, terminal, progress)
        if not (asked.memory or settings.memory):
            keep_freed_memory()
        follow = _tensorboard(folder) if asked.tensorboard and processes.first else lambda _: None
        found = train_seeds(
            settings,
            folder,
            count,
            resume=resume or (find_place().goes_on and is_begun(folder, settings, count)),
            dataset=dataset,
            offline=asked.offline,
            processes=processes,
            on_epoch=follow,
            tell=terminal.tell,
            progress=progress,
        )
        if resume and count == 1 and settings.dataset not in DATASETS and processes.first:
            from hlgnn.jobs.own_run import study_memory
            from hlgnn.jobs.study.study import Asked as AskedOfStudy
            from hlgnn.jobs.study.study import study_run

            of_study = AskedOfStudy(command=typed_line(), memory=study_memory(asked.memory or settings.memory))
            study = study_run(folder, of_study, progress=progress)
    table: RenderableType = runs_table(found, folder)
    if study is not None:
        from rich.console import Group

        from hlgnn.cli.report import study_picture

        table = Group(table, study_picture(study, folder))
    terminal.show(table, found.document())


def _told(asked: Asked, terminal: Terminal, progress: Progress) -> tuple[RunSettings, Path, int, Dataset | None]:
    """The settings of the first seed, the folder, how many seeds there are, and the graph if it was read already."""
    from hlgnn.catalog import DATASETS, MODELS
    from hlgnn.jobs.presets import settings_for
    from hlgnn.jobs.train_seeds import planned

    if asked.resume is not None and asked.dataset is None:
        settings, count = planned(asked.resume)
        return settings, asked.resume, count, None
    if asked.dataset is None or asked.resume is not None:
        raise SettingsError("Name either a data set or a folder to --resume.", hint="See 'hlgnn train --help'.")
    if asked.model not in MODELS:
        raise MODELS.unknown(asked.model, "auto")
    dataset: Dataset | None = None
    if asked.model == "hlgnn" and asked.dataset not in DATASETS:  # chosen for this graph, as with a report
        own = _open_own(asked, progress)
        settings, dataset = own.settings, own.dataset
        terminal.tell(*dataset.notes)
    else:
        settings = settings_for(
            asked.dataset,
            model_name=asked.model,
            preset=asked.preset,
            protocol=asked.protocol,
            seed=asked.seed,
            changes=list(asked.changes),
            columns=asked.columns,
        )
    settings = settings.model_copy(update={"memory": asked.memory})
    return settings, asked.out or Path("runs") / settings.run_name, asked.runs, dataset


def _open_own(asked: Asked, progress: Progress) -> OwnRun:
    from hlgnn.jobs.own_run import open_own

    return open_own(
        str(asked.dataset),
        preset=asked.preset,
        protocol=asked.protocol,
        seed=asked.seed,
        changes=asked.changes,
        columns=asked.columns,
        automatic=asked.model == "auto" and asked.memory is None,  # within a budget, what takes little
        offline=asked.offline,
        progress=progress,
    )


def _train_own(terminal: Terminal, asked: Asked, processes: Processes) -> None:
    from hlgnn.cli.report import study_picture
    from hlgnn.jobs.own_run import train_and_study

    if asked.model == "auto" and asked.runs != 1:
        raise SettingsError(
            "What is best for a graph is chosen on one run.", where="--model auto", hint="Leave out --runs, or --model."
        )
    if asked.model not in ("auto", "hlgnn") or asked.runs != 1:
        raise SettingsError(
            "A report is made of one run of hlgnn.", where="--report", hint="Leave out --report, or --model and --runs."
        )
    with terminal.progress() as progress:
        own = _open_own(asked, progress)
        folder = asked.out or Path("runs") / own.settings.run_name
        found = train_and_study(
            own,
            folder,
            command=typed_line(),
            automatic=asked.model == "auto",
            memory=asked.memory,
            again=find_place().goes_on,
            processes=processes,
            tell=terminal.tell,
            on_epoch=_tensorboard(folder) if asked.tensorboard and processes.first else lambda _: None,
            progress=progress,
        )
    if processes.first:
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
