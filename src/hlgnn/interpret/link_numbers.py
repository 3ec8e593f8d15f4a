"""The numbers of one pair that a head reads beside z_i and z_j: degrees, common neighbours, cosines between orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch
from torch.nn.functional import normalize as unit_vectors

from hlgnn.formulation import Formulation, Operator, normalize
from hlgnn.interpret.link_rows import order_rows, unit_rows
from hlgnn.models import HLGNN
from hlgnn.models.across import across_numbers
from hlgnn.models.crowding import crowding, crowding_numbers
from hlgnn.models.order_matrix import order_cosines
from hlgnn.models.pair_features import pair_numbers
from hlgnn.models.pair_reader import number_names
from hlgnn.models.profile import profile_numbers
from hlgnn.models.regression import regression_numbers
from hlgnn.models.walks import walk_columns

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph
    from hlgnn.interpret.link_encoder import LinkEncoder


@dataclass(frozen=True)
class PairNumber:
    """A number of the pair that the head reads beside z_i and z_j.

    Attributes:
        name: What it is.
        value: The number.
        mean: Its mean over links and random pairs of the graph of training.
        effect: The gradient of the logit times (value − mean): an approximation of what it pushes the logit by.
    """

    name: str
    value: float
    mean: float
    effect: float


@dataclass(frozen=True)
class PairFacts:
    """What anyone can count about a pair in the message graph, links without their weights.

    Attributes:
        linked: Whether the two are linked already.
        degree_first: Neighbours of the first end.
        degree_second: Neighbours of the second end.
        common_neighbours: Neighbours of both.
        resource_allocation: Σ 1 / d_k over these.
    """

    linked: bool
    degree_first: int
    degree_second: int
    common_neighbours: int
    resource_allocation: float


def pair_facts(graph: Graph, first: int, second: int) -> PairFacts:
    """Degrees, common neighbours and resource allocation of one pair."""
    offset, neighbor = graph.adjacency.offset, graph.adjacency.neighbor
    ours, theirs = (neighbor[offset[node] : offset[node + 1]].long() for node in (first, second))
    common = ours[torch.isin(ours, theirs)]
    return PairFacts(
        linked=bool((ours == second).any()),
        degree_first=len(ours),
        degree_second=len(theirs),
        common_neighbours=len(common),
        resource_allocation=float((1.0 / graph.degree[common].double()).sum()),
    )


def read_numbers(encoder: LinkEncoder, first: int, second: int) -> Tensor | None:
    """The numbers of the pair as they are, or ``None`` if the head reads none.  (C,)"""
    model = encoder.model
    if not isinstance(model, HLGNN) or model.pair_reader is None or encoder.view is None:
        return None
    chosen, view, pair = model.settings.head, encoder.view, torch.tensor([[first, second]])
    parts = []
    if chosen.pair_features:
        parts.append(pair_numbers(view.near, pair).double()[0])
    if chosen.order_matrix:
        units = _order_units(encoder, chosen.order_matrix, (first, second))
        parts.append(order_cosines(units, torch.tensor([[0, 1]]))[0])
    if chosen.crowding:
        crowded = crowding(view.near.pattern, view.crowding_units, pair[0])
        parts.append(crowding_numbers(crowded.double(), torch.tensor([[0, 1]]))[0])
    if chosen.similar:
        parts.append(order_cosines(view.similar_units[pair[0]].double(), torch.tensor([[0, 1]]))[0])
    if chosen.walks:
        parts.append(_walks(encoder, chosen.walks, (first, second)))
    if chosen.metric:
        parts.append(order_cosines(view.related_units[pair[0]].double(), torch.tensor([[0, 1]]))[0])
    if chosen.across:
        parts.append(across_numbers(view.across, pair).double()[0])
    if chosen.profile:
        parts.append(profile_numbers(view.profiles, pair).double()[0])
    if chosen.regression:
        parts.append(regression_numbers(view.explained, pair).double()[0])
    return torch.cat(parts)


def scaled_numbers(encoder: LinkEncoder, numbers: Tensor) -> Tensor:
    """The numbers as the head reads them: with mean zero and deviation one.  (C,) -> (C,)"""
    reader = encoder.model.pair_reader if isinstance(encoder.model, HLGNN) else None
    return numbers if reader is None else (numbers - reader.mean.double()) / reader.deviation.double()


def number_effects(encoder: LinkEncoder, numbers: Tensor | None, gradient: Tensor | None) -> tuple[PairNumber, ...]:
    """Gradient × (value − mean) of each number.  (C,), (C,)"""
    model = encoder.model
    if numbers is None or gradient is None or not isinstance(model, HLGNN):
        return ()
    reader = model.pair_reader
    mean = numbers if reader is None else reader.mean.double()
    effect = gradient * (numbers - mean)
    table = zip(number_names(model.settings.head), numbers.tolist(), mean.tolist(), effect.tolist(), strict=True)
    return tuple(PairNumber(*row) for row in table)


def _walks(encoder: LinkEncoder, longest: int, nodes: tuple[int, int]) -> Tensor:
    """The numbers of walks between two nodes, from their rows of powers of Ã_sym alone.  (C,)"""
    powers = Formulation("walks", (Operator(sym=1.0),) * -(-longest // 2), (0.0,) * (-(-longest // 2) + 1))
    starts = unit_rows(powers, encoder.graph, nodes, centre=False)
    rows = order_rows(powers, normalize(encoder.graph.adjacency), starts)  # (M + 1, N, 2)
    lengths = range(2, longest + 1)
    weights = torch.stack([rows[length // 2, :, 0] @ rows[-(-length // 2), :, 1] for length in lengths])
    back = rows[1:].square().sum(dim=1).prod(dim=1)  # (M,)
    return walk_columns(weights[None], back[:, None])[0]


def _order_units(encoder: LinkEncoder, orders: tuple[int, ...], nodes: tuple[int, ...]) -> Tensor:
    """A^l X at some nodes, centred over all nodes, in rows of length one, without computing the others.  (Q, K, F)"""
    fixed = encoder.model.propagation.fixed_operator if isinstance(encoder.model, HLGNN) else None
    operator = Operator(sym=1.0) if fixed is None else Operator(*fixed.tolist())
    depth = max(orders)
    powers = Formulation("orders", (operator,) * depth, (0.0,) * (depth + 1))
    starts = unit_rows(powers, encoder.graph, nodes, centre=True)
    rows = order_rows(powers, normalize(encoder.graph.adjacency), starts)  # (depth + 1, N, Q)
    return torch.stack([unit_vectors(encoder.input.prepared(rows[order]), dim=1) for order in orders], dim=1)
