"""Weights on disk, and all that the next epoch depends on: tensors and a line of JSON, never a pickle."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from hlgnn.atomic import atomic_path
from hlgnn.errors import CheckpointError

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor, nn

    from hlgnn.training.fit import Training

NOTES = "hlgnn"


def save_tensors(path: Path, tensors: dict[str, Tensor], notes: dict[str, Any]) -> None:
    """Write named tensors and notes, at once or not at all.

    Raises:
        OutputError: If the file cannot be written.
    """
    whole = {name: tensor.detach().contiguous() for name, tensor in tensors.items()}
    with atomic_path(path, sync=False) as temporary:  # what a killed process wrote is not lost
        save_file(whole, temporary, metadata={NOTES: json.dumps(notes)})
        temporary.chmod(0o644)  # the library makes it readable by its owner only


def load_tensors(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """What ``save_tensors`` wrote.

    Raises:
        CheckpointError: If the file is missing or damaged.
    """
    try:
        with safe_open(path, framework="pt") as file:
            return {name: file.get_tensor(name) for name in file.keys()}, json.loads(file.metadata()[NOTES])  # noqa: SIM118
    except FileNotFoundError:
        raise CheckpointError("There are no such weights.", where=str(path)) from None
    except (SafetensorError, KeyError, TypeError, ValueError, OSError) as error:
        raise CheckpointError(f"The weights cannot be read ({error}).", where=str(path)) from None


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
    """All that the next epoch depends on."""
    optimizer = training.optimizer.state_dict()["state"]
    tensors = {f"model.{name}": value for name, value in training.model.state_dict().items()}
    tensors |= {f"best.{name}": value for name, value in training.best_weights.items()}
    tensors |= {
        f"optimizer.{number}.{name}": value for number, state in optimizer.items() for name, value in state.items()
    }
    tensors |= {f"generator.{name}": each.get_state() for name, each in _generators(training).items()}
    save_tensors(path, tensors, _progress(training))


def load_training(path: Path, training: Training) -> None:
    """Go on where ``save_training`` left off, bit for bit.

    Raises:
        CheckpointError: If the file is damaged or belongs to another run.
    """
    tensors, notes = load_tensors(path)
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
        if (saved := tensors.get(f"generator.{name}")) is None:
            raise CheckpointError(
                f"The checkpoint does not hold the random state {name}: another version of hlgnn wrote it.",
                where=str(path),
                hint="Go on with the version that wrote it (versions.json names it), or train anew.",
            )
        generator.set_state(saved)
    training.epoch, training.best_epoch = notes["epoch"], notes["best_epoch"]
    training.best_valid, training.best_auc = notes["best_valid"], notes["best_auc"]
    training.evaluations_since_best = notes["evaluations_since_best"]


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
    generators = {"loop": training.generator}
    for name, module in training.model.named_modules():
        held = {key: value for key, value in vars(module).items() if isinstance(value, torch.Generator)}
        generators |= {f"{name}.{key}": generator for key, generator in held.items()}
    return generators


def _part(tensors: dict[str, Tensor], prefix: str) -> dict[str, Tensor]:
    return {name.removeprefix(prefix): value for name, value in tensors.items() if name.startswith(prefix)}
