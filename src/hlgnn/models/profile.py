"""What a random walk knows of a node: how many walkers arrive at it, and what degrees they find from it.

Both are heuristics of a single node, the operators of Table 1 applied to a vector instead of to a matrix: Ã_cs^l 1 and
Ã_rs^l d, here without self-loops. A paper that is cited by papers with few other references is another one than a
paper with as many citations from long lists, and degrees do not tell the two apart.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.formulation.kernels import choose
from hlgnn.formulation.operators import COL, ROW

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized


def profile(pattern: Normalized, steps: int) -> Tensor:
    """Logarithms of 1 + 10 (Ã_cs^l 1)_i and of 1 + (Ã_rs^l d)_i for l = 1 … steps, side by side.  -> (N, 2 L)

    Args:
        pattern: The message graph without self-loops and weights.
        steps: L.
    """
    degree = pattern.degree.double()[:, None]  # (N, 1)
    arrived, met = torch.ones_like(degree), degree
    kernel, columns = choose(degree), []
    for _ in range(steps):
        arrived = kernel.forward(pattern, torch.tensor(COL, dtype=torch.float64), arrived)
        columns.append((10 * arrived).log1p())
    for _ in range(steps):
        met = kernel.forward(pattern, torch.tensor(ROW, dtype=torch.float64), met)
        columns.append(met.log1p())
    return torch.cat(columns, dim=1).float()


def profile_numbers(profiles: Tensor, pairs: Tensor) -> Tensor:
    """The sum and the absolute difference of both ends, for each column.  (N, 2 L), (P, 2) -> (P, 4 L)"""
    left, right = profiles[pairs[:, 0]], profiles[pairs[:, 1]]
    return torch.cat([left + right, (left - right).abs()], dim=1)


def profile_names(steps: int) -> list[str]:
    """What the numbers are called."""
    lengths = range(1, steps + 1)
    kinds = [f"walkers that arrive after {length} steps" for length in lengths]
    kinds += [f"degrees met after {length} steps" for length in lengths]
    return [f"both ends: {kind}" for kind in kinds] + [f"difference of the ends: {kind}" for kind in kinds]
