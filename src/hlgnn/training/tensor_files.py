"""Named tensors and a line of JSON on disk, never a pickle."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file

from hlgnn.atomic import atomic_path
from hlgnn.errors import CheckpointError

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor

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
