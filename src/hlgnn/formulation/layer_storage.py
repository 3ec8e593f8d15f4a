"""What is kept of the layers between a forward and a backward pass, and how many columns go through them at a time."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import torch

Layers = Literal["all", "root", "none"]


@dataclass(frozen=True)
class LayerStorage:
    """How memory is traded for time where operators are learned; every choice gives the same gradients.

    Attributes:
        layers: ``all`` keeps every layer, ``root`` at most 3 ⌈√L⌉ of them and computes the others again once, ``none``
            keeps X alone and computes every layer again from it, L (L − 1) / 2 products in all.
        dtype: What kept layers are stored in; ``None`` is as they are, bfloat16 rounds them and takes half the room.
        columns: How many columns of X go through all layers at a time, which they do not meet in; 0 is all of them.
    """

    layers: Layers = "root"
    dtype: torch.dtype | None = None
    columns: int = 0


def segments(depth: int, layers: Layers = "root") -> list[range]:
    """The layers in groups, each of which starts at a layer that is kept.

    There are at most 3 ⌈√L⌉ groups for ``root``. Of fifteen layers three are computed again; with 2 ⌈√L⌉ starts seven
    would be, for four layers of memory less.

    Example:
        >>> len(segments(15)), segments(15)[:4]
        (12, [range(0, 2), range(2, 4), range(4, 6), range(6, 7)])
        >>> segments(2, "all"), segments(2, "none")
        ([range(0, 1), range(1, 2)], [range(0, 2)])
    """
    return groups(depth, {"all": depth, "root": 3 * upper_root(depth), "none": 1}[layers])


def groups(depth: int, count: int) -> list[range]:
    """The layers in at most ``count`` groups whose sizes differ by one at most, the larger ones first.

    Example:
        >>> groups(7, 3), groups(2, 5)
        ([range(0, 3), range(3, 5), range(5, 7)], [range(0, 1), range(1, 2)])
    """
    count = max(1, min(count, depth))
    size, larger = divmod(depth, count)
    starts = [each * size + min(each, larger) for each in range(count + 1)]
    return [range(*ends) for ends in pairwise(starts) if ends[0] < ends[1]]


def upper_root(depth: int) -> int:
    """⌈√L⌉, at least one."""
    return math.isqrt(max(depth - 1, 0)) + 1


def computed_again(depth: int, layers: Layers) -> int:
    """How many products with an operator the backward pass makes besides its own L.

    Example:
        >>> computed_again(15, "all"), computed_again(15, "root"), computed_again(15, "none")
        (0, 3, 105)
    """
    if layers == "none":
        return depth * (depth - 1) // 2
    return sum(len(segment) - 1 for segment in segments(depth, layers))
