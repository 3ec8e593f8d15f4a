"""All that the next epoch depends on, on disk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlgnn.errors import CheckpointError
from hlgnn.training.checkpoint_parts import load_parts, save_parts
from hlgnn.training.noise import held_generators
from hlgnn.training.tensor_files import load_tensors, save_tensors

if TYPE_CHECKING:
    from pathlib import Path

    import torch
    from torch import Tensor, nn

    from hlgnn.training.checkpoint_parts import Shares
    from hlgnn.training.fit import Training

__all__ = ["load_tensors", "load_training", "load_weights", "save_tensors", "save_training"]


LOOP = "loop"
MOMENTS = ("exp_avg", "exp_avg_sq")


def load_weights(model: nn.Module, tensors: dict[str, Tensor], *, where: str) -> None:
    """Put weights into a model of the same shape.

    Raises:
        CheckpointError: If they do not fit; it names the first that does not, and both shapes.
    """
    expected = model.state_dict()
    missing, extra = sorted(set(expected) - set(tensors)), sorted(set(tensors) - set(expected))
    if missing or extra:
        raise CheckpointError(
            f"The weights are those of another model: {', '.join(missing + extra)}.",
            where=where,
            hint="Use the settings that they were trained with.",
        )
    for name, tensor in tensors.items():
        if tensor.shape != expected[name].shape:
            raise CheckpointError(
                f"{name} has the shape {tuple(tensor.shape)}, but this graph needs {tuple(expected[name].shape)}.",
                where=where,
                hint="Use them on a graph with the same nodes, or the same features, as they were trained on.",
            )
    model.load_state_dict(tensors)


def save_training(path: Path, training: Training) -> None:
    """All that the next epoch depends on; every process has to call it, and writes the columns that it holds."""
    tensors = {f"model.{name}": value for name, value in training.model.state_dict().items()}
    tensors |= {f"best.{name}": value for name, value in training.best_weights.items()}
    tensors |= {
        f"optimizer.{number}.{name}": value
        for number, state in training.optimizer.state_dict()["state"].items()
        for name, value in state.items()
    }
    tensors |= {f"generator.{name}": each.get_state() for name, each in _generators(training).items()}
    save_parts(path, tensors, _progress(training), _shares(training), training.processes, training.epoch)


def load_training(path: Path, training: Training) -> None:
    """Go on where ``save_training`` left off; bit for bit, if there are as many processes as then.

    Raises:
        CheckpointError: If the file is damaged or belongs to another run.
    """
    tensors, notes = load_parts(path, _shares(training))
    load_weights(training.model, _part(tensors, "model."), where=str(path))
    training.best_weights = _part(tensors, "best.")
    state: dict[int, dict[str, Tensor]] = {}
    for name, value in _part(tensors, "optimizer.").items():
        number, _, entry = name.partition(".")
        state.setdefault(int(number), {})[entry] = value
    training.optimizer.load_state_dict(
        {"state": state, "param_groups": training.optimizer.state_dict()["param_groups"]}
    )
    for name, generator in _generators(training).items():
        if (saved := tensors.get(f"generator.{name}")) is not None:
            generator.set_state(saved)
        elif training.processes.size == 1 or name == LOOP:  # those of several processes begin anew in every epoch
            raise CheckpointError(
                f"The checkpoint does not hold the random state {name}: another version of hlgnn wrote it.",
                where=str(path),
                hint="Go on with the version that wrote it (versions.json names it), or train anew.",
            )
    training.epoch, training.best_epoch = notes["epoch"], notes["best_epoch"]
    training.best_valid, training.best_auc = notes["best_valid"], notes["best_auc"]
    training.evaluations_since_best = notes["evaluations_since_best"]


def _shares(training: Training) -> Shares:
    """What processes hold parts of, by the names of the checkpoint; Adam has two moments of each weight."""
    held = training.model.column_shares()
    names = {id(parameter): name for name, parameter in training.model.named_parameters()}
    found = {f"{kind}.{name}": share for kind in ("model", "best") for name, share in held.items()}
    groups = training.optimizer.param_groups
    for number, parameter in enumerate(each for group in groups for each in group["params"]):
        if (name := names[id(parameter)]) in held:
            found |= {f"optimizer.{number}.{moment}": held[name] for moment in MOMENTS}
    return found


def _progress(training: Training) -> dict[str, Any]:
    return {
        "epoch": training.epoch,
        "best_epoch": training.best_epoch,
        "best_valid": training.best_valid,
        "best_auc": training.best_auc,
        "evaluations_since_best": training.evaluations_since_best,
    }


def _generators(training: Training) -> dict[str, torch.Generator]:
    """The generators that go on drawing: that of the loop, and those that modules of the model hold."""
    return {LOOP: training.generator} | held_generators(training.model)


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
