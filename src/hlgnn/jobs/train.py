"""Train one model on one split and keep everything about it; go on with what was interrupted."""

from __future__ import annotations

import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hlgnn.catalog import MODELS
from hlgnn.data import PROTOCOLS, make_split
from hlgnn.data.official_files import sha256_of
from hlgnn.errors import CheckpointError, RunError
from hlgnn.evaluation import metric
from hlgnn.formulation import save_formulation
from hlgnn.jobs.memory_budget import memory_result, note_plan, peak_sentence, plan_memory
from hlgnn.jobs.model_card import model_card
from hlgnn.jobs.open_dataset import open_dataset
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.memory_size import peak_bytes
from hlgnn.models import HLGNN, LinkModel, Propagation
from hlgnn.processes import SINGLE, Processes
from hlgnn.progress import Progress, silent
from hlgnn.seeds import Seeds
from hlgnn.training.checkpoint import load_tensors, load_training, load_weights, save_tensors, save_training
from hlgnn.training.evaluate import evaluate
from hlgnn.training.fit import REMEMBERED, EpochRecord, Training, has_parameters
from hlgnn.training.mapped_state import map_state
from hlgnn.training.whole_weights import count_learned, whole_weights

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.data import Dataset, Split
    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.training.choose_plan import Planned

METRICS = ("hits@1", "hits@3", "hits@10", "hits@20", "hits@50", "hits@100", "mrr", "auc", "ap")


@dataclass(frozen=True, eq=False)
class Prepared:
    """What a run works on.

    Attributes:
        dataset: The data set.
        split: Its split under the protocol of the run.
        model: The model with its first weights.
    """

    dataset: Dataset
    split: Split
    model: LinkModel[Any, Any]

    @property
    def metric(self) -> str:
        """What its links are measured by: the metric of the data set, or that of the protocol."""
        return PROTOCOLS[self.split.protocol].metric_for(self.dataset.metric)


def train_run(
    settings: RunSettings,
    folder: Path,
    *,
    resume: bool = False,
    dataset: Dataset | None = None,
    offline: bool = False,
    processes: Processes = SINGLE,
    on_begin: Callable[[], None] = lambda: None,
    on_epoch: Callable[[EpochRecord], None] = lambda _: None,
    tell: Callable[[str], None] = lambda _: None,
    progress: Progress = silent,
) -> RunFolder:
    """Train, evaluate, and write settings, curve, weights, result and model card into ``folder``.

    With ``resume`` the folder is that of an interrupted run, which goes on after its last complete epoch and ends with
    the weights that it would have had; a finished one is left as it is. A run that cannot begin writes nothing.
    Several processes train together if all of them call this; the first one writes the folder.

    Raises:
        RunError: If the folder is in the way, or there is nothing to go on with.
    """
    found = RunFolder.open(folder) if resume else None
    if found is not None and found.finished:
        return found
    start = time.perf_counter()
    told = settings if found is None else found.settings
    if found is None:
        RunFolder.require_free(folder)
    work = prepare_run(told, dataset=dataset, offline=offline, processes=processes, progress=progress)
    planned = plan_memory(told, work, folder, processes)
    if planned is not None:
        tell(planned.sentence())
    training = Training(
        work.model,
        work.split,
        told.train,
        default_metric=work.metric,
        seeds=Seeds(told.seed),
        processes=processes,
        remembered=REMEMBERED if planned is None else 0,  # no plan counts them
    )
    if found is not None and found.checkpoint.is_file():
        load_training(found.checkpoint, training)
    elif has_parameters(work.model):
        training.offer()
    processes.wait()  # until all have read what there was
    if processes.first:
        on_begin()
    run = found or RunFolder.begin(folder, told, processes)
    if processes.first:
        run.forget_after(training.epoch)
        note_plan(run.path, planned)
    if planned is not None and planned.plan.mapped:
        map_state(training, run.path)
    _learn(run, training, on_epoch, progress)
    _finish(run, work, training, time.perf_counter() - start, planned)
    processes.wait()  # until there is a result
    if planned is not None:
        tell(peak_sentence(run.result()["peak_bytes"], planned))
    return run


def prepare_run(
    settings: RunSettings,
    *,
    dataset: Dataset | None = None,
    offline: bool = False,
    processes: Processes = SINGLE,
    progress: Progress = silent,
) -> Prepared:
    """The data set, the split and the untrained model of a run; the same settings always give the same.

    Processes that share columns each get a model that holds some of them.
    """
    if dataset is None:
        dataset = load_for(settings, offline=offline, progress=progress)
    split = make_split(dataset, PROTOCOLS[settings.protocol], settings.seed, progress=progress)
    card, generator = MODELS[settings.model_name], Seeds(settings.seed).generator("model")
    model = card.build_for(split.graph, settings.model, generator, processes.columns)
    return Prepared(dataset, split, model)


def load_for(settings: RunSettings, *, offline: bool = False, progress: Progress = silent) -> Dataset:
    """The data set that a run is about."""
    columns = settings.columns
    return open_dataset(
        settings.dataset,
        features=None if columns.features is None else Path(columns.features),
        source=columns.source,
        target=columns.target,
        weight=columns.weight,
        time=columns.time,
        header=columns.header,
        delimiter=columns.delimiter,
        strip_ids=columns.strip_ids,
        id_column=columns.id_column,
        unknown=columns.unknown,
        offline=offline,
        progress=progress,
    )


def _learn(run: RunFolder, training: Training, on_epoch: Callable[[EpochRecord], None], progress: Progress) -> None:
    if not has_parameters(training.model):
        training.choose()
        return
    what = f"Training, seed {run.settings.seed}"
    while not training.finished:
        record = training.run_epoch()
        if training.processes.first:
            run.note(record)
        save_training(run.checkpoint, training)
        if training.processes.first:
            on_epoch(record)
        progress(what, training.epoch, run.settings.train.epochs)
    training.restore_best()


def _finish(run: RunFolder, work: Prepared, training: Training, seconds: float, planned: Planned | None) -> None:
    model, split, processes = work.model, work.split, training.processes
    whole = training.targets.whole
    tested = whole if split.test_graph is split.graph else model.prepare(split.test_graph)
    metrics = [metric(name) for name in dict.fromkeys((work.metric, *METRICS))]
    result = {
        "dataset": work.dataset.name,
        "protocol": run.settings.protocol,
        "seed": run.settings.seed,
        "model": run.settings.model_name,
        "preset": run.settings.preset,
        "metric": work.metric,
        "valid": evaluate(model, whole, split.valid, metrics, processes),
        "test": evaluate(model, tested, split.test, metrics, processes),
        "selected_by": training.selection.metric.name,
        "best_epoch": training.best_epoch,
        "epochs": training.epoch,
        "parameters": count_learned(model),
        "seconds": sum(record["seconds"] for record in run.curve()),
        "seconds_of_this_process": seconds,
        "fingerprint": fingerprint(work.dataset),
    }
    weights = whole_weights(model, processes)
    peak = int(processes.everyone.largest(peak_bytes()))
    if weights is None:  # the first process writes
        return
    save_tensors(run.weights, weights, {"nodes": work.dataset.graph.num_nodes})
    result["weights_sha256"] = sha256_of(run.weights)
    if isinstance(model, HLGNN) and isinstance(model.propagation, Propagation):
        learned = model.propagation.formulation(whole.messages, name=run.settings.run_name)
        save_formulation(learned, run.path / "formulation.toml")
    result |= memory_result(planned, peak)
    if processes.size > 1:
        result["processes"] = {"pairs": processes.pairs.size, "columns": processes.columns.size}
    run.finish(result, model_card(run.settings, result))


def fingerprint(dataset: Dataset) -> dict[str, int]:
    """What weights are tied to: nodes, links and features."""
    graph = dataset.graph
    return {"nodes": graph.num_nodes, "links": graph.num_links, "features": graph.num_features}


def load_run(run: RunFolder, *, offline: bool = False, progress: Progress = silent) -> Prepared:
    """The data set, split and trained model of a finished run.

    Raises:
        RunError: If the data set is another one now.
        CheckpointError: If the weights do not fit.
    """
    expected = run.result()["fingerprint"]
    work = prepare_run(run.settings, offline=offline, progress=progress)
    if fingerprint(work.dataset) != expected:
        raise RunError(
            f"The run was trained on {expected}, but {run.settings.dataset} has {fingerprint(work.dataset)} now.",
            where=str(run.path),
            hint="Train again, or restore the tables that it was trained on.",
        )
    tensors, _ = load_tensors(run.weights)
    stated = run.result().get("weights_sha256")
    if stated is not None and stated != sha256_of(run.weights):
        raise CheckpointError(
            "These are not the weights that the run ended with: their checksum is not that of result.json.",
            where=str(run.weights),
            hint="Restore the file, or train again.",
        )
    load_weights(work.model, tensors, where=str(run.weights))
    return work
