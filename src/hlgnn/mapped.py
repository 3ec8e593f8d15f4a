"""Tensors that live in a file: the system keeps as much of them in memory as there is room for, and no more."""

from __future__ import annotations

import tempfile
from typing import TYPE_CHECKING

import numpy as np
import torch

if TYPE_CHECKING:
    from pathlib import Path

    from torch import Tensor


def mapped_copy(x: Tensor, folder: Path | None = None) -> Tensor:
    """The same numbers in a file of ``folder``, or of the system's temporary one.  (…) -> (…)

    The file has no name from the start, so that nothing is left of it when the tensor is gone or the process is killed.

    Example:
        >>> mapped_copy(torch.tensor([[1.0, 2.0]])).tolist()
        [[1.0, 2.0]]
    """
    room = mapped_zeros(x.shape, x.dtype, folder)
    return room.copy_(x.detach())


def mapped_zeros(shape: tuple[int, ...], dtype: torch.dtype, folder: Path | None = None) -> Tensor:
    """Noughts in a file, of which nothing is written before it is touched."""
    kind = torch.empty(0, dtype=dtype).numpy().dtype
    if 0 in shape:
        return torch.zeros(shape, dtype=dtype)
    with tempfile.TemporaryFile(dir=folder) as file:
        return torch.from_numpy(np.memmap(file, dtype=kind, mode="w+", shape=tuple(shape)))
