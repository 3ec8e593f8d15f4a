"""The graphs on which growth is measured (Table 3): large enough to be timed, small enough to be waited for."""

from __future__ import annotations

from typing import Any

Sizes = dict[str, tuple[int, ...]]

BASE = {"nodes": 10_000, "links": 100_000, "layers": 4, "width": 64}
SIZES: Sizes = {
    "nodes": (5_000, 10_000, 20_000, 40_000, 80_000),
    "links": (25_000, 50_000, 100_000, 200_000, 400_000),
    "layers": (4, 8, 16, 32, 64),
    "width": (16, 32, 64, 128, 256),
}
"""For methods that encode all nodes at once; there are always more links than nodes, as complexities have it."""

OTHER_BASES: dict[str, dict[str, int]] = {
    "cn": {"nodes": 20_000, "links": 400_000, "layers": 1, "width": 1},
    "ki": {"nodes": 2_000, "links": 20_000, "layers": 8, "width": 1},
    "seal": {"nodes": 2_000, "links": 8_000, "layers": 3, "width": 32},
    "nbfnet": {"nodes": 300, "links": 8_000, "layers": 3, "width": 16},
    "neo-gnn": {"nodes": 4_000, "links": 16_000, "layers": 3, "width": 64},
    "buddy": {"layers": 2},
}
"""Where walks start at single nodes, as in Katz and NBFNet, graphs are dense enough that few steps reach all nodes:
complexities count all of them from the first step."""

OTHER_SIZES: dict[str, Sizes] = {
    "cn": {
        "nodes": (10_000, 20_000, 40_000, 80_000, 160_000),
        "links": (100_000, 200_000, 400_000, 800_000, 1_600_000),
    },
    "ki": {
        "nodes": (1_000, 2_000, 4_000, 8_000, 16_000),
        "links": (10_000, 20_000, 40_000, 80_000, 160_000),
        "layers": (8, 16, 32, 64),
    },
    "seal": {
        "nodes": (500, 1_000, 2_000, 4_000, 8_000),
        "links": (2_000, 4_000, 8_000, 16_000, 32_000),
        "layers": (1, 2, 4, 8, 16),
    },
    "nbfnet": {
        "nodes": (150, 300, 600, 1_200),
        "links": (2_000, 4_000, 8_000, 16_000),
        "layers": (4, 6, 8, 12, 16),
        "width": (8, 16, 32, 64),
    },
    "neo-gnn": {
        "nodes": (1_000, 2_000, 4_000, 8_000, 16_000),
        "links": (8_000, 16_000, 32_000, 64_000),
    },
    "buddy": {"layers": (1, 2, 3)},
    "hlgnn": {"layers": (8, 16, 32, 64, 128)},
}
ALIKE = {"ra": "cn", "rwr": "ki"}
"""Methods that are measured on the graphs of another."""

WITHOUT = {
    "cn": ("layers", "width"),
    "ra": ("layers", "width"),
    "ki": ("width",),
    "rwr": ("width",),
}
"""What a method does not have."""

SMALL_BASE = {"nodes": 100, "links": 400, "layers": 2, "width": 8}
SMALL_SIZES: Sizes = {"nodes": (100, 200, 400), "links": (200, 400, 800), "layers": (1, 2, 4), "width": (4, 8, 16)}
SMALL_CELLS = (("gcn", "links"), ("hlgnn", "links"), ("cn", "nodes"))
REPEATS = 3


def grows(method: str, quantity: str) -> bool:
    """Whether a method has such a quantity at all."""
    return quantity not in WITHOUT.get(method, ())


def growth_values(method: str, quantity: str, *, small: bool = False) -> dict[str, Any]:
    """The settings of a cell of the task ``growth``."""
    like = ALIKE.get(method, method)
    base = SMALL_BASE if small else BASE | OTHER_BASES.get(like, {})
    sizes = SMALL_SIZES if small else SIZES | OTHER_SIZES.get(like, {})
    return {"method": method, "vary": quantity, "sizes": list(sizes[quantity]), "base": dict(base), "repeats": REPEATS}
