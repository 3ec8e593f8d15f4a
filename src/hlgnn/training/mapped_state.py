"""Learned vectors, the moments of Adam and the best weights in files: the same numbers in another place."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.mapped import mapped_copy, mapped_zeros

if TYPE_CHECKING:
    from pathlib import Path

    from hlgnn.training.fit import Training

LEAST = 1 << 20
"""Tensors of fewer numbers stay in memory."""


@torch.no_grad()
def map_state(training: Training, folder: Path | None = None) -> None:
    """Move what is large into files without a name, in ``folder`` or the system's temporary one.

    To be called after a checkpoint was loaded, which brings tensors in memory.
    """
    optimizer = training.optimizer
    for group in optimizer.param_groups:
        for parameter in group["params"]:
            if parameter.numel() < LEAST:
                continue
            parameter.data = mapped_copy(parameter.data, folder)
            state = optimizer.state[parameter]
            if not state:  # as the first step of Adam would
                state["step"] = torch.tensor(0.0)
            for moment in ("exp_avg", "exp_avg_sq"):
                found = state.get(moment)
                place = mapped_zeros(parameter.shape, parameter.dtype, folder)
                state[moment] = place if found is None else place.copy_(found)
    training.best_weights = {
        name: value if value.numel() < LEAST else mapped_copy(value, folder)
        for name, value in training.best_weights.items()
    }
