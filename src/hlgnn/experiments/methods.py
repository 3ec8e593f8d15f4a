"""The rows of comparisons, and the cells that they stand for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS, MODELS
from hlgnn.experiments.cell import Cell
from hlgnn.experiments.experiment import Scale
from hlgnn.experiments.tasks.training import training_values
from hlgnn.jobs.presets import settings_for

if TYPE_CHECKING:
    from collections.abc import Sequence

HEURISTIC_ROWS = ("cn", "ra", "ki", "rwr")
PAPER_ROWS = (
    *HEURISTIC_ROWS,
    *("mf", "node2vec", "deepwalk", "gcn", "gat", "seal", "nbfnet", "neo-gnn", "buddy", "hlgnn"),
)
"""The methods of Table 4, in its order."""

OTHER_ROWS = ("mlp", "sage", "ncn", "ncnc", "hlgnn-zero", "regression")
"""Methods that a reader asks for beside them."""

PLANETOID = ("cora", "citeseer", "pubmed")
AMAZON = ("photo", "computers")
OGB = ("ogbl-collab", "ogbl-ddi", "ogbl-ppa", "ogbl-citation2")

SLOW = ("seal", "nbfnet")
"""Methods whose small scale has few links, too."""

FAST_SEEDS, USUAL_SEEDS = 10, 5


def title_of(method: str) -> str:
    """What a method is called in tables."""
    return MODELS[method].title


def dataset_title(dataset: str) -> str:
    """What a data set is called in tables."""
    return DATASETS[dataset].title


def seeds_of(method: str, protocol: str, scale: Scale) -> tuple[int, ...]:
    """How many seeds a method has: one where nothing is drawn, and fewer for what takes long."""
    if scale is Scale.SMALL or (protocol == "ogb" and method in (*HEURISTIC_ROWS, "regression")):
        return (0,)
    fast = method in (*HEURISTIC_ROWS, "hlgnn", "hlgnn-zero", "regression")
    return tuple(range(FAST_SEEDS if fast else USUAL_SEEDS))


def training_cell(
    method: str,
    dataset: str,
    protocol: str,
    scale: Scale,
    *,
    row: str | None = None,
    column: str | None = None,
    part: str = "",
    preset: str = "default",
    changes: Sequence[str] = (),
    seeds: tuple[int, ...] | None = None,
) -> Cell:
    """A method with its preset on a data set; on a small scale two epochs, of some links only for what takes long."""
    shorter: tuple[str, ...] = ()
    if scale is Scale.SMALL:
        few = ("train.hide=fraction", "train.hide_share=0.02") if method in SLOW else ()
        shorter = ("train.epochs=2", "train.evaluate_every=1", *few)
    settings = settings_for(dataset, model_name=method, preset=preset, protocol=protocol, changes=(*changes, *shorter))
    return Cell(
        row or title_of(method),
        column or dataset_title(dataset),
        "train",
        training_values(settings),
        seeds or seeds_of(method, protocol, scale),
        part,
    )
