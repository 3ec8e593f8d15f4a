"""Link prediction by learned heuristics.

The names below are the public ones; they are imported when first used, so that ``import hlgnn`` is quick.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from hlgnn import heuristics
    from hlgnn.audit import AuditReport, Finding, Verdict, audit_ogb, audit_pyg, audit_split
    from hlgnn.catalog import DATASETS, load_dataset
    from hlgnn.data import (
        PROTOCOLS,
        Dataset,
        LinkSet,
        Protocol,
        Split,
        load_own,
        load_split,
        make_split,
        save_split,
    )
    from hlgnn.errors import HlgnnError
    from hlgnn.estimators import HeuristicFeatures, HLConv, LinkPredictor
    from hlgnn.evaluation import (
        auc,
        average_precision,
        bootstrap,
        common_neighbors,
        degree_product,
        feature_cosine,
        hits_at,
        metric,
        mrr,
        score_links,
    )
    from hlgnn.formulation import (
        ADJ,
        COL,
        ROW,
        SYM,
        Formulation,
        Operator,
        RankedLinks,
        load_formulation,
        save_formulation,
        top_links,
    )
    from hlgnn.graph import (
        Graph,
        NodeIds,
        from_networkx,
        from_pandas,
        from_polars,
        from_pyg,
        from_scipy,
        read_edges,
        read_features,
        read_pairs,
        to_networkx,
        to_pandas,
        to_polars,
        to_pyg,
        to_scipy,
        write_links,
    )
    from hlgnn.jobs.presets import settings_for
    from hlgnn.jobs.train import load_run, train_run
    from hlgnn.models import HLGNN, HeadSettings, HLGNNSettings, InputSettings, LinkModel, PropagationSettings
    from hlgnn.seeds import Seeds
    from hlgnn.training import SAMPLERS
    from hlgnn.training.evaluate import evaluate, score_pairs
    from hlgnn.training.fit import fit
    from hlgnn.training.objectives import OBJECTIVES
    from hlgnn.training.train_settings import TrainSettings

_HOMES = (
    "hlgnn.errors",
    "hlgnn.seeds",
    "hlgnn.graph",
    "hlgnn.formulation",
    "hlgnn.data",
    "hlgnn.evaluation",
    "hlgnn.audit",
    "hlgnn.training.evaluate",  # before the package, in which this is the name of a module
    "hlgnn.training.fit",
    "hlgnn.training",
    "hlgnn.catalog",
    "hlgnn.estimators",
    "hlgnn.models",
    "hlgnn.training.objectives",
    "hlgnn.training.train_settings",
    "hlgnn.jobs.presets",
    "hlgnn.jobs.train",
)

__all__ = [
    "ADJ",
    "COL",
    "DATASETS",
    "HLGNN",
    "OBJECTIVES",
    "PROTOCOLS",
    "ROW",
    "SAMPLERS",
    "SYM",
    "AuditReport",
    "Dataset",
    "Finding",
    "Formulation",
    "Graph",
    "HLConv",
    "HLGNNSettings",
    "HeadSettings",
    "HeuristicFeatures",
    "HlgnnError",
    "InputSettings",
    "LinkModel",
    "LinkPredictor",
    "LinkSet",
    "NodeIds",
    "Operator",
    "PropagationSettings",
    "Protocol",
    "RankedLinks",
    "Seeds",
    "Split",
    "TrainSettings",
    "Verdict",
    "auc",
    "audit_ogb",
    "audit_pyg",
    "audit_split",
    "average_precision",
    "bootstrap",
    "common_neighbors",
    "degree_product",
    "evaluate",
    "feature_cosine",
    "fit",
    "from_networkx",
    "from_pandas",
    "from_polars",
    "from_pyg",
    "from_scipy",
    "heuristics",
    "hits_at",
    "load_dataset",
    "load_formulation",
    "load_own",
    "load_run",
    "load_split",
    "make_split",
    "metric",
    "mrr",
    "read_edges",
    "read_features",
    "read_pairs",
    "save_formulation",
    "save_split",
    "score_links",
    "score_pairs",
    "settings_for",
    "to_networkx",
    "to_pandas",
    "to_polars",
    "to_pyg",
    "to_scipy",
    "top_links",
    "train_run",
    "write_links",
]


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used."""
    if name == "heuristics":
        return importlib.import_module("hlgnn.heuristics")
    if name in __all__:
        for home in map(importlib.import_module, _HOMES):
            if name in home.__dict__:
                return home.__dict__[name]
    message = f"module 'hlgnn' has no attribute {name!r}"
    raise AttributeError(message)


def __dir__() -> list[str]:
    return sorted(__all__)
