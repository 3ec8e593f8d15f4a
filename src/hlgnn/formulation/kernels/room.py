"""Room for a layer that is going to be gathered from."""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

CACHE_LINE = 64


def room_like(x: Tensor) -> Tensor:
    """An uninitialised tensor like ``x``; on the CPU from numpy, and on a cache line.  (N, F) -> (N, F)

    Numpy asks for huge pages where torch does not: rows that are far apart are found a quarter faster on them.
    """
    if x.device.type != "cpu":
        return torch.empty_like(x, memory_format=torch.contiguous_format)
    size = x.numel() * x.element_size()
    room = torch.from_numpy(np.empty(size + CACHE_LINE, np.uint8))
    start = -room.data_ptr() % CACHE_LINE
    return room[start : start + size].view(x.dtype).view(x.shape)
