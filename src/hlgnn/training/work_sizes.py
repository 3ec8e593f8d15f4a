"""The sizes of a training run that memory depends on, read off the model, the split and the settings."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, cast

from torch import Tensor

from hlgnn.models.head import CosineHead, MLPHead, ResidualHead
from hlgnn.models.memory_estimate import Operators, WorkSizes
from hlgnn.models.paths import model_is_linear
from hlgnn.processes import SINGLE, Processes
from hlgnn.training.train_settings import ALL_PAIRS

if TYPE_CHECKING:
    from hlgnn.data import LinkSet, Split
    from hlgnn.graph import Graph
    from hlgnn.models import HLGNN
    from hlgnn.training.train_settings import TrainSettings

FLOAT, INDEX, ROWS = 4, 8, 64


def work_sizes(model: HLGNN, split: Split, train: TrainSettings, processes: Processes = SINGLE) -> WorkSizes:
    """Everything that ``training_use`` asks for, of the process that has most to hold."""
    settings, graph = model.settings, split.graph
    inputs = model.input_columns  # a linear layer reads all of them
    perceptron = model.head.correction if isinstance(model.head, ResidualHead) else model.head
    return WorkSizes(
        nodes=graph.num_nodes,
        links=graph.num_links,
        input_width=max(inputs.widths) if model.linear is None else inputs.length,
        width=max(model.z_columns.widths),
        embedding=max(model.vector_columns.widths),
        linear=model.linear is not None,
        prepared=_prepared_bytes(model, graph),
        sparse=_stays_sparse(model, graph),
        depth=settings.propagation.depth,
        operators=_kind(model),
        unit=isinstance(model.head, CosineHead | ResidualHead),
        noise=sum([settings.input.dropout > 0, settings.propagation.dropout > 0, settings.propagation.centre]),
        head_hidden=settings.head.hidden if isinstance(perceptron, MLPHead) else 0,
        head_layers=settings.head.layers - 1 if isinstance(perceptron, MLPHead) else 0,
        pairs=math.ceil(pairs_per_step(split, train) / processes.pairs.size),
        evaluated=max(_count(split.valid) * (1 + train.selection_negatives), _count(split.test)),
        graphs=2 + (train.learned_folds if train.hide == "folds" else int(train.hide != "none")),
        hidden_links=train.hide != "none",
        parameters=sum(each.numel() for each in model.parameters() if each.requires_grad),
        regressions=len(settings.head.regression) if settings.head.reads_numbers else 0,
        tables=_table_bytes(model, graph),
        collected=0 if processes.columns.alone else 2 * FLOAT * graph.num_nodes * model.vector_columns.length,
    )


def pairs_per_step(split: Split, train: TrainSettings) -> int:
    """Pairs that the head scores in a step, negatives included."""
    if train.objective == ALL_PAIRS:
        return min(train.rows, split.graph.num_nodes)
    return min(train.batch_size, len(split.train)) * (1 + train.negatives) * (1 + train.both_directions)


def _kind(model: HLGNN) -> Operators:
    if not model_is_linear(model):
        return "layered"
    return "fixed" if model.propagation.fixed_operator is not None else cast("Operators", _operators(model))


def _operators(model: HLGNN) -> str:
    return model.settings.propagation.operators


def _table_bytes(model: HLGNN, graph: Graph) -> int:
    """What rows of length one take that cosines are read from; those of the matrix of orders may serve twice."""
    head = model.settings.head
    if model.preparation is None or not head.reads_numbers:
        return 0
    own = 0 if set(head.across) <= set(head.order_matrix) else len(head.across)
    orders = len(head.order_matrix) + len(head.similar) + len(head.metric) + own
    return FLOAT * graph.num_nodes * model.preparation.width * orders


def _prepared_bytes(model: HLGNN, graph: Graph) -> int:
    """What prepared features take for each message graph, unless they are the graph's own."""
    if model.preparation is None or graph.features is None:
        return 0
    chosen = model.settings.input
    if not (chosen.standardize or chosen.tf_idf or chosen.normalize or chosen.centre or chosen.svd):
        return 0
    if isinstance(graph.features, Tensor) or not _stays_sparse(model, graph):
        return FLOAT * graph.num_nodes * model.preparation.width
    return (FLOAT + INDEX) * int(graph.features.nnz)


def _stays_sparse(model: HLGNN, graph: Graph) -> bool:
    chosen = model.settings.input
    sparse = graph.features is not None and not isinstance(graph.features, Tensor)
    return model.preparation is not None and sparse and not (chosen.standardize or chosen.centre or chosen.svd)


def _count(links: LinkSet) -> int:
    """Pairs whose scores exist at once; where each link has its own negatives, they are made in blocks."""
    rankings = ROWS if links.own_negatives else 1
    return len(links.positive) + links.negatives_per_ranking * rankings
