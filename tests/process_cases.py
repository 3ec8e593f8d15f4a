"""What one process and several of them train."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from hlgnn.catalog import MODELS
from hlgnn.data import PROTOCOLS, Dataset, Split, make_split
from hlgnn.graph import Graph
from hlgnn.models import HLGNN, HLGNNSettings
from hlgnn.processes import SINGLE, Processes
from hlgnn.seeds import Seeds
from hlgnn.training.checkpoint import load_training, save_training
from hlgnn.training.evaluate import link_scores
from hlgnn.training.fit import Training
from hlgnn.training.train_settings import TrainSettings
from toy_models import communities

EMBEDDING = {"source": "embedding", "embedding_width": 7, "hidden": 0}
FEATURES = {"source": "features", "hidden": 5}
NARROW = {"source": "features", "hidden": 9}
BOTH = {"source": "both", "embedding_width": 5, "hidden": 6}
LEARNED = {"depth": 3, "operators": "mixture"}
SYM = {"depth": 3, "operators": "sym"}
MLP = {"kind": "mlp", "hidden": 5, "layers": 3}
RESIDUAL = {"kind": "residual", "hidden": 5}
NUMBERS = {"pair_features": True, "order_matrix": [0, 1, 2], "crowding": [0, 1], "similar": [0, 1], "walks": 3}
STARTED = {"pair_features": True, "regression": [0.5, 2.0], "regression_start": True}

Case = tuple[dict[str, Any], dict[str, Any]]
CASES: dict[str, Case] = {
    "vectors, sym, mlp": ({"input": EMBEDDING, "propagation": SYM, "head": MLP, "path": "plain"}, {}),
    "vectors, mixture, dot, folds": (
        {"input": EMBEDDING, "propagation": LEARNED, "head": {"kind": "dot"}},
        {"hide": "folds", "folds": 2, "gradient_clip": 0.05},
    ),
    "vectors, geometric, residual": (
        {"input": EMBEDDING, "propagation": {"depth": 2, "operators": "geometric"}, "head": RESIDUAL},
        {"gradient_clip": 0.05},
    ),
    "vectors before a wide layer": (
        {"input": EMBEDDING | {"hidden": 12}, "propagation": LEARNED, "head": MLP},
        {"negatives": 3, "sampler": "per-source"},
    ),
    # Differences of scores do not determine the shift of a head, which Adam would move by rounding alone.
    "vectors before a wide layer, dot": (
        {"input": EMBEDDING | {"hidden": 12}, "propagation": LEARNED, "head": {"kind": "dot"}},
        {"negatives": 3, "sampler": "per-source", "objective": "adaptive-hinge-auc"},
    ),
    "vectors before a narrow layer": (
        {"input": EMBEDDING | {"hidden": 4, "embedding_init": "orthogonal"}, "propagation": SYM, "head": RESIDUAL},
        {"steps_per_encode": 2},
    ),
    "features, sym once, mlp": (
        {"input": NARROW, "propagation": SYM, "head": MLP, "path": "once"},
        {"hide": "folds", "folds": 3, "gradient_clip": 0.1},
    ),
    "features, no layer, once, cosine": (
        {"input": FEATURES | {"hidden": 0}, "propagation": SYM, "head": {"kind": "cosine"}, "path": "once"},
        {"select": "mrr"},
    ),
    "features, spectral, diagonal": (
        {"input": FEATURES, "propagation": SYM | {"centre": True}, "head": {"kind": "diagonal"}, "path": "spectral"},
        {},
    ),
    "features, mixture, residual, narrow first": (
        {"input": NARROW, "propagation": LEARNED, "head": RESIDUAL | {"difference": True, "pair_features": True}},
        {"hide": "fraction"},
    ),
    "vectors, a start at regressions": (
        {"input": EMBEDDING, "propagation": SYM, "head": MLP | STARTED, "path": "plain"},
        {"hide": "folds", "folds": 2, "gradient_clip": 0.05},
    ),
    "features, every number of a pair": (
        {"input": FEATURES | {"hidden": 0}, "propagation": SYM, "head": RESIDUAL | NUMBERS},
        {"hide": "folds", "folds": 2},
    ),
    "features, wide, reading, all pairs": (
        {"input": FEATURES, "propagation": LEARNED | {"order": "reading"}, "head": {"kind": "cosine"}},
        {"objective": "all-pairs", "rows": 13},
    ),
    "both, sym, mlp of numbers too": (
        {"input": BOTH, "propagation": SYM, "head": MLP | {"difference": True, "pair_features": True}, "path": "plain"},
        {"both_directions": True, "decay": "gradient", "weight_decay": 0.01},
    ),
    "both, no layer, activation": (
        {"input": BOTH | {"hidden": 0}, "propagation": SYM | {"activation": "tanh"}, "head": MLP},
        {"schedule": "cosine"},
    ),
    "both, wider, dot": ({"input": BOTH | {"hidden": 16}, "propagation": LEARNED, "head": {"kind": "dot"}}, {}),
}

# Methods with plain gradients; a pair is scored by itself.
OTHERS = ("mf", "ncn", "neo-gnn", "seal")
# Learned vectors, weights that read numbers beside columns, and weights without either.
STORED = ("vectors before a narrow layer", "both, sym, mlp of numbers too", "features, spectral, diagonal")


def toy_split(graph: Graph | None = None) -> Split:
    """The communities, 48 nodes, under the protocol of the paper."""
    return make_split(Dataset("communities", graph or communities(), "auc"), PROTOCOLS["paper"], 0)


def train_settings(**changes: Any) -> TrainSettings:
    """Two epochs of a few steps, the last of them so short that some processes have nothing to do."""
    return TrainSettings(**({"epochs": 2, "batch_size": 37, "learning_rate": 0.01, "beta_rate": 0.05} | changes))


def start(name: str, processes: Processes = SINGLE) -> Training:
    """A case before its first epoch."""
    chosen, changes = CASES[name]
    split, seeds = toy_split(), Seeds(3)
    model = HLGNN(split.graph, HLGNNSettings.model_validate(chosen), seeds.generator("model"), processes.columns)
    settings = train_settings(**changes)
    return Training(model, split, settings, default_metric="auc", seeds=seeds, processes=processes)


def finish(training: Training) -> dict[str, Any]:
    """Losses, β, validation values and scores after training; the same for every process."""
    records = []
    while not training.finished:
        records.append(training.run_epoch())
    training.restore_best()
    model, split = training.model, training.split
    assert isinstance(model, HLGNN)
    positive, negative = link_scores(model, model.prepare(split.test_graph), split.test, training.processes)
    alpha = model.propagation.alpha
    return {
        "losses": [record.loss for record in records],
        "valid": [record.valid for record in records],
        "best": training.best_valid,
        "beta": model.propagation.beta.tolist(),
        "alpha": [] if alpha is None else alpha.flatten().tolist(),
        "positive": positive.tolist(),
        "negative": negative.flatten().tolist(),
    }


def trained(name: str, processes: Processes = SINGLE) -> dict[str, Any]:
    """What comes out of a case."""
    training = start(name, processes)
    training.offer()
    return finish(training)


def trained_other(name: str, processes: Processes = SINGLE) -> dict[str, Any]:
    """What comes out of another method, without dropout."""
    split, seeds, card = toy_split(), Seeds(3), MODELS[name]
    settings = card.settings.model_validate(_without_dropout(card.settings().model_dump()))
    model = card.build(split.graph, settings, seeds.generator("model"))
    training = Training(model, split, train_settings(), default_metric="auc", seeds=seeds, processes=processes)
    losses = [training.run_epoch().loss for _ in range(training.settings.epochs)]
    positive, negative = link_scores(model, model.prepare(split.test_graph), split.test, processes)
    return {"losses": losses, "positive": positive.tolist(), "negative": negative.tolist()}


def _without_dropout(settings: dict[str, Any]) -> dict[str, Any]:
    inner = {key: _without_dropout(value) for key, value in settings.items() if isinstance(value, dict)}
    return {key: 0.0 if "drop" in key else value for key, value in settings.items()} | inner


def save_half(name: str, path: Path, processes: Processes = SINGLE) -> None:
    """Make the first epoch, and write a checkpoint."""
    training = start(name, processes)
    training.offer()
    training.run_epoch()
    save_training(path, training)


def resumed(name: str, path: Path, processes: Processes = SINGLE) -> dict[str, Any]:
    """What comes out of the epochs after a checkpoint."""
    training = start(name, processes)
    load_training(path, training)
    return finish(training)
