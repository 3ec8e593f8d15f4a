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
from hlgnn.jobs.model_card import model_card
from hlgnn.jobs.open_dataset import open_dataset
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.models import HLGNN, LinkModel, Propagation
from hlgnn.progress import Progress, silent
from hlgnn.seeds import Seeds
from hlgnn.training.checkpoint import load_tensors, load_training, load_weights, save_tensors, save_training
from hlgnn.training.evaluate import evaluate
from hlgnn.training.fit import EpochRecord, Training, has_parameters

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.data import Dataset, Split
    from hlgnn.jobs.run_settings import RunSettings

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


def train_run(
    settings: RunSettings,
    folder: Path,
    *,
    resume: bool = False,
    dataset: Dataset | None = None,
    offline: bool = False,
    on_begin: Callable[[], None] = lambda: None,
    on_epoch: Callable[[EpochRecord], None] = lambda _: None,
    progress: Progress = silent,
) -> RunFolder:
    """Train, evaluate, and write settings, curve, weights, result and model card into ``folder``.

    With ``resume`` the folder is that of an interrupted run, which goes on after its last complete epoch and ends with
    the weights that it would have had; a finished one is left as it is. A run that cannot begin writes nothing.

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
    work = prepare_run(told, dataset=dataset, offline=offline, progress=progress)
    training = Training(work.model, work.split, told.train, default_metric=work.dataset.metric, seeds=Seeds(told.seed))
    if found is not None and found.checkpoint.is_file():
        load_training(found.checkpoint, training)
    elif has_parameters(work.model):
        training.offer()
    on_begin()
    run = found or RunFolder.create(folder, told)
    run.forget_after(training.epoch)
    _learn(run, training, on_epoch, progress)
    _finish(run, work, training, time.perf_counter() - start)
    return run


def prepare_run(
    settings: RunSettings, *, dataset: Dataset | None = None, offline: bool = False, progress: Progress = silent
) -> Prepared:
    """The data set, the split and the untrained model of a run; the same settings always give the same."""
    if dataset is None:
        dataset = load_for(settings, offline=offline, progress=progress)
    split = make_split(dataset, PROTOCOLS[settings.protocol], settings.seed, progress=progress)
    model = MODELS[settings.model_name].build(split.graph, settings.model, Seeds(settings.seed).generator("model"))
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
        run.note(record)
        save_training(run.checkpoint, training)
        on_epoch(record)
        progress(what, training.epoch, run.settings.train.epochs)
    training.restore_best()


def _finish(run: RunFolder, work: Prepared, training: Training, seconds: float) -> None:
    model, split = work.model, work.split
    metrics = [metric(name) for name in dict.fromkeys((work.dataset.metric, *METRICS))]
    result = {
        "dataset": work.dataset.name,
        "protocol": run.settings.protocol,
        "seed": run.settings.seed,
        "model": run.settings.model_name,
        "preset": run.settings.preset,
        "metric": work.dataset.metric,
        "valid": evaluate(model, training.targets.whole, split.valid, metrics),
        "test": evaluate(model, model.prepare(split.test_graph), split.test, metrics),
        "selected_by": training.selection.metric.name,
        "best_epoch": training.best_epoch,
        "epochs": training.epoch,
        "parameters": sum(each.numel() for each in model.parameters() if each.requires_grad),
        "seconds": sum(record["seconds"] for record in run.curve()),
        "seconds_of_this_process": seconds,
        "fingerprint": fingerprint(work.dataset),
    }
    save_tensors(run.weights, model.state_dict(), {"nodes": work.dataset.graph.num_nodes})
    result["weights_sha256"] = sha256_of(run.weights)
    if isinstance(model, HLGNN) and isinstance(model.propagation, Propagation):
        learned = model.propagation.formulation(model.prepare(split.graph).messages, name=run.settings.run_name)
        save_formulation(learned, run.path / "formulation.toml")
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
