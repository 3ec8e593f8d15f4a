"""A layer of torch_geometric whose first weights come from a generator."""

from __future__ import annotations

from typing import Any

import torch
from torch import nn

from hlgnn.graph.border import require


def pyg_layer(name: str, inputs: int, outputs: int, generator: torch.Generator, **chosen: Any) -> Any:
    """``torch_geometric.nn.<name>(inputs, outputs)`` with Glorot weights and biases of zero, drawn from ``generator``.

    Raises:
        MissingPackageError: If torch_geometric is not installed.
    """
    package = require("torch_geometric.nn", extra="baselines")
    with torch.random.fork_rng(devices=[]):  # its own first weights would be drawn from the generator of everyone
        layer = getattr(package, name)(inputs, outputs, **chosen)
    for parameter in layer.parameters():
        if parameter.ndim > 1:
            nn.init.xavier_uniform_(parameter.data.view(parameter.shape[-2:]), generator=generator)
        else:
            nn.init.zeros_(parameter)
    return layer
