"""What is kept of the layers between a forward and a backward pass, and how many columns go through them at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import torch

Layers = Literal["all", "root", "none"]


@dataclass(frozen=True)
class LayerStorage:
    """How memory is traded for time where operators are learned; every choice gives the same gradients.

    Attributes:
        layers: ``all`` keeps every layer, ``root`` at most 2 ⌈√L⌉ of them and computes the others again once, ``none``
            keeps X alone and computes every layer again from it, L (L − 1) / 2 products in all.
        dtype: What kept layers are stored in; ``None`` is as they are, bfloat16 rounds them and takes half the room.
        columns: How many columns of X go through all layers at a time, which they do not meet in; 0 is all of them.
    """

    layers: Layers = "root"
    dtype: torch.dtype | None = None
    columns: int = 0


def segments(depth: int, layers: Layers = "root") -> list[range]:
    """The layers in groups of equal size, each of which starts at a layer that is kept.

    There are at most 2 ⌈√L⌉ groups for ``root``. Of fifteen layers seven are computed again, and ten would be with √L
    starts, which need a fifth less memory.

    Example:
        >>> segments(7)
        [range(0, 2), range(2, 4), range(4, 6), range(6, 7)]
        >>> segments(2, "all"), segments(2, "none")
        ([range(0, 1), range(1, 2)], [range(0, 2)])
    """
    starts = {"all": depth, "root": 2 * (math.isqrt(max(depth - 1, 0)) + 1), "none": 1}[layers]
    stride = -(-depth // max(1, starts)) or 1
    return [range(start, min(start + stride, depth)) for start in range(0, depth, stride)]


def computed_again(depth: int, layers: Layers) -> int:
    """How many products with an operator the backward pass makes besides its own L.

    Example:
        >>> computed_again(15, "all"), computed_again(15, "root"), computed_again(15, "none")
        (0, 7, 105)
    """
    if layers == "none":
        return depth * (depth - 1) // 2
    return sum(len(segment) - 1 for segment in segments(depth, layers))
