"""A search over settings by validation links, which can be interrupted and gone on with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.errors import MissingPackageError, NumericalError, RunError, SettingsError
from hlgnn.jobs.train import load_for, prepare_run
from hlgnn.progress import Progress, silent
from hlgnn.seeds import Seeds
from hlgnn.settings import override, write_toml
from hlgnn.training.fit import fit

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.jobs.run_settings import RunSettings

SPACE: dict[str, dict[str, Any]] = {
    "train.learning_rate": {"low": 1e-4, "high": 1e-2, "log": True},
    "train.beta_rate": {"low": 1e-3, "high": 1e-1, "log": True},
    "model.propagation.depth": {"low": 1, "high": 20},
    "model.propagation.beta_parameter": {"low": 0.2, "high": 0.98},
    "model.head.kind": {"choices": ["mlp", "residual", "dot"]},
    "model.head.layers": {"low": 1, "high": 3},
}
"""What is varied unless it is said otherwise, and how far."""


@dataclass(frozen=True)
class Found:
    """The end of a search.

    Attributes:
        settings: The best settings.
        valid: What they reach on validation links.
        trials: How many were tried in all.
        changes: What they set, by name.
        file: Where they are written as TOML.
    """

    settings: RunSettings
    valid: float
    trials: int
    changes: dict[str, Any]
    file: Path


def search(
    settings: RunSettings,
    folder: Path,
    trials: int,
    *,
    space: dict[str, dict[str, Any]] | None = None,
    offline: bool = False,
    progress: Progress = silent,
) -> Found:
    """Try settings until ``folder`` holds ``trials`` of them, and write the best as ``best.toml``.

    Every trial is judged by validation links alone: the test is not looked at. Trials are kept in a journal, so that a
    search goes on where it was interrupted; the same folder with other settings is refused.

    Raises:
        MissingPackageError: If optuna is not installed.
        RunError: If the folder holds another search.
    """
    optuna = _optuna()
    make_folder(folder)
    _check_same(folder, settings)
    backend = optuna.storages.journal.JournalFileBackend(str(folder / "trials.journal"))
    study = optuna.create_study(
        study_name="search",
        storage=optuna.storages.JournalStorage(backend),
        sampler=optuna.samplers.TPESampler(seed=settings.seed),
        direction="maximize",
        load_if_exists=True,
    )
    dataset = load_for(settings, offline=offline, progress=progress)

    def objective(trial: Any) -> float:
        changed = override(settings, _suggest(trial, space or SPACE), where="search")
        work = prepare_run(changed, dataset=dataset)
        try:
            done = fit(work.model, work.split, changed.train, default_metric=work.metric, seeds=Seeds(changed.seed))
        except NumericalError:
            raise optuna.TrialPruned from None
        return done.best_valid

    done = _complete(study)
    while done < trials:
        study.optimize(objective, n_trials=1, catch=(SettingsError,))
        done = max(done + 1, _complete(study))
        progress("Trials", done, trials)
    return _best(study, settings, folder)


def _best(study: Any, settings: RunSettings, folder: Path) -> Found:
    if not any(trial.value is not None for trial in study.trials):
        raise RunError("No trial has ended with a value.", where=str(folder), hint="Narrow what is varied.")
    changes = dict(study.best_trial.params)
    best = override(settings, [f"{name}={_written(value)}" for name, value in changes.items()])
    file = folder / "best.toml"
    with atomic_path(file) as temporary:
        temporary.write_text(write_toml(best), encoding="utf-8")
    return Found(best, float(study.best_value), len(study.trials), changes, file)


def _suggest(trial: Any, space: dict[str, dict[str, Any]]) -> list[str]:
    """One value for everything that is varied, as assignments."""
    chosen = []
    for name, span in space.items():
        if "choices" in span:
            value = trial.suggest_categorical(name, span["choices"])
        elif isinstance(span["low"], int) and isinstance(span["high"], int):
            value = trial.suggest_int(name, span["low"], span["high"])
        else:
            value = trial.suggest_float(name, span["low"], span["high"], log=span.get("log", False))
        chosen.append(f"{name}={_written(value)}")
    return chosen


def _written(value: object) -> str:
    return f'"{value}"' if isinstance(value, str) else repr(value)


def _complete(study: Any) -> int:
    return sum(trial.state.is_finished() for trial in study.trials)


def _check_same(folder: Path, settings: RunSettings) -> None:
    """Refuse a folder in which something else was searched for."""
    path, text = folder / "search.toml", write_toml(settings)
    if path.is_file():
        if path.read_text(encoding="utf-8") != text:
            raise RunError(
                "The folder holds a search with other settings.", where=str(folder), hint="Choose another --out."
            )
        return
    with atomic_path(path) as temporary:
        temporary.write_text(text, encoding="utf-8")


def _optuna() -> Any:
    try:
        import optuna  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingPackageError(
            "optuna is not installed.", hint='Install it with: pip install "hlgnn[search]"'
        ) from None
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    return optuna
