"""The strongest paths between two nodes, found exactly: half a path from each end, joined where they meet."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation import normalize
from hlgnn.interpret.link_rows import entries

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation import Formulation, Normalized
    from hlgnn.graph import Graph

LONGEST = 4


@dataclass(frozen=True)
class LinkPath:
    """A walk from the first end to the second that visits no node twice.

    Attributes:
        nodes: i, …, j.
        weight: The product of the entries of the operators along it, half of it walked from either end.
    """

    nodes: tuple[int, ...]
    weight: float

    def to_dict(self) -> dict[str, Any]:
        """For a program."""
        return {**asdict(self), "nodes": list(self.nodes)}


@dataclass(frozen=True, eq=False)
class _Halves:
    """Walks from one end.

    Attributes:
        nodes: Their nodes, from the end on.  (W, steps + 1)
        weight: The product of their entries.  (W,)
    """

    nodes: Tensor
    weight: Tensor


def strongest_paths(
    formulation: Formulation, graph: Graph, first: int, second: int, *, count: int = 10, longest: int = LONGEST
) -> tuple[LinkPath, ...]:
    """The ``count`` paths with the largest weights among all of up to ``longest`` steps, exactly.

    ⟨z_i, z_j⟩ brings walks from both ends together (Eq. 1): a path of m steps is walked for m / 2 steps from either
    end, and weighs the product of the entries of A_l on the way, without β. If m is odd, the step in the middle belongs
    to either half, and the weight is the geometric mean of both ways; so it does not matter which end comes first.
    Steps from a node to itself are left out, and so are paths of more than 2 L steps.

    Raises:
        SettingsError: If ``longest`` is none of 1 … 4.
    """
    if not 1 <= longest <= LONGEST:
        raise SettingsError(
            f"Paths of {longest} steps are not searched.", where="path_length", hint=f"Choose 1 to {LONGEST}."
        )
    normalized = normalize(graph.adjacency, self_loops=formulation.self_loops)
    low, high = min(first, second), max(first, second)
    best: list[LinkPath] = []
    for steps in range(1, min(longest, 2 * formulation.depth) + 1 if count > 0 else 1):
        left = _half(formulation, normalized, low, high, steps, steps - steps // 2)
        right = _half(formulation, normalized, high, low, steps, steps // 2)
        floor = best[-1].weight if len(best) >= count else 0.0
        best += _joined(_above(left, right, floor), _above(right, left, floor), count)
        best = sorted(best, key=lambda path: (-path.weight, len(path.nodes), path.nodes))[:count]
    return tuple(LinkPath(path.nodes[:: 1 if first == low else -1], path.weight) for path in best)


def _half(formulation: Formulation, normalized: Normalized, start: int, other: int, steps: int, count: int) -> _Halves:
    """All walks of ``count`` steps of a path of ``steps`` from ``start`` that visit no node twice."""
    adjacency = normalized.adjacency
    nodes, weight = torch.tensor([[start]]), torch.ones(1, dtype=torch.float64)
    for step in range(count):
        last = nodes[:, -1]
        degree = adjacency.degree[last]
        walk = torch.repeat_interleave(torch.arange(len(nodes)), degree)
        inside = torch.arange(len(walk)) - torch.repeat_interleave(degree.cumsum(0) - degree, degree)
        edge = adjacency.offset[last][walk] + inside
        target = adjacency.neighbor[edge].long()
        allowed = (nodes[walk] != target[:, None]).all(dim=1) & ((target != other) | (steps == 1))
        walk, edge, target = walk[allowed], edge[allowed], target[allowed]
        value = _step_weight(formulation, normalized, steps, step, last[walk], target, edge)
        nodes, weight = torch.cat([nodes[walk], target[:, None]], dim=1), weight[walk] * value
    kept = weight > 0
    return _Halves(nodes[kept], weight[kept])


def _step_weight(
    formulation: Formulation,
    normalized: Normalized,
    steps: int,
    step: int,
    source: Tensor,
    target: Tensor,
    edge: Tensor,
) -> Tensor:
    """What a step, counted from its own end, weighs on a path of ``steps``; signs are left out.  (P,) -> (P,)"""
    shorter, longer = steps // 2, steps - steps // 2
    if step == longer - 1 and shorter < longer:  # the step in the middle, walked either way
        layer = _layer(formulation, longer, step)
        there = entries(formulation, normalized, layer, source, target, edge)
        return (there * entries(formulation, normalized, layer, target, source, edge)).abs().sqrt()
    as_longer = entries(formulation, normalized, _layer(formulation, longer, step), source, target, edge)
    as_shorter = entries(formulation, normalized, _layer(formulation, shorter, step), source, target, edge)
    return (as_longer * as_shorter).abs().sqrt()


def _layer(formulation: Formulation, steps: int, step: int) -> int:
    """The layer that a step belongs to in a walk of ``steps``: Eq. 1 meets A_1 first, Eq. 2 A_l."""
    return step if formulation.order == "reading" else steps - 1 - step


def _above(halves: _Halves, others: _Halves, floor: float) -> _Halves:
    """The walks that give a path above ``floor`` with the best of the others, if that is where they end."""
    if len(others.weight) == 0:
        return others
    kept = halves.weight * others.weight.max() > floor
    return _Halves(halves.nodes[kept], halves.weight[kept])


def _joined(left: _Halves, right: _Halves, count: int) -> list[LinkPath]:
    """The best paths from halves that end at one node and share no other; among equals, those found first.

    Meeting nodes are visited by the product of their best halves, which no path through them exceeds, until that bound
    is not above what was found. Of the halves at a node the best ``count + 1`` of either side suffice: a worse one
    could be replaced in a path by all of these but one.
    """
    lefts, rights = _by_end(left, right, count + 1), _by_end(right, left, count + 1)
    bounds = {node: lefts[node][0].weight * rights[node][0].weight for node in lefts}
    found: list[LinkPath] = []
    for node in sorted(bounds, key=lambda node: (-bounds[node], node)):
        if len(found) >= count and bounds[node] <= found[-1].weight:
            break
        for one in lefts[node]:
            for two in rights[node]:
                weight = one.weight * two.weight
                if len(found) >= count and weight <= found[-1].weight:
                    break
                if not set(one.nodes[:-1]) & set(two.nodes[:-1]):
                    found.append(LinkPath((*one.nodes, *reversed(two.nodes[:-1])), weight))
                    found = sorted(found, key=lambda path: -path.weight)[:count]
    return found


def _by_end(halves: _Halves, others: _Halves, count: int) -> dict[int, list[LinkPath]]:
    """The best ``count`` walks to each last node that others reach as well, best first."""
    met = torch.isin(halves.nodes[:, -1], others.nodes[:, -1])
    nodes, weight = halves.nodes[met], halves.weight[met]
    order = weight.sort(descending=True, stable=True).indices
    order = order[nodes[order, -1].sort(stable=True).indices]
    ends, sizes = nodes[order, -1].unique_consecutive(return_counts=True)
    best: dict[int, list[LinkPath]] = {}
    for end, size, stop in zip(ends.tolist(), sizes.tolist(), sizes.cumsum(0).tolist(), strict=True):
        rows = order[stop - size : stop - size + min(count, size)]
        walks = zip(nodes[rows].tolist(), weight[rows].tolist(), strict=True)
        best[end] = [LinkPath(tuple(walk), value) for walk, value in walks]
    return best
