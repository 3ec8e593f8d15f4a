"""Which classic heuristic a learned one resembles most: least squares on a sample of pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation import DEFAULT_MEMORY, entry_of, parse, score_table
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation import Formulation
    from hlgnn.graph import Graph

DECAYS = (0.5, 0.2, 0.1, 0.05, 0.01, 0.001)
CHANCES = (0.2, 0.5, 0.8, 0.85, 0.95)
CANDIDATES: dict[str, tuple[str, ...]] = {
    **{name: (name,) for name in ("cn", "llhn", "ra", "inverse-square", "normalized-ra")},
    "ki": tuple(f"ki:gamma={gamma},order=6" for gamma in DECAYS),
    "glhn": tuple(f"glhn:phi={phi},order=6" for phi in DECAYS),
    "lpi": tuple(f"lpi:gamma={gamma},order=3" for gamma in DECAYS),
    "rwr": tuple(f"rwr:alpha={alpha},order=20" for alpha in CHANCES),
    "fp": tuple(f"fp:alpha={alpha},order=20" for alpha in CHANCES),
    "lrw": tuple(f"lrw:alpha={alpha},order=4" for alpha in CHANCES),
}
"""The heuristics of Table 2 and Appendix D, each with the parameters that are tried."""


@dataclass(frozen=True)
class Nearest:
    """The classic heuristic that explains the scores of another one best.

    Attributes:
        name: Its short name.
        title: Its name in tables.
        request: The request that gives it, with the parameters that fit best.
        r_squared: The share of the variance of H_ij that scale · s_ij + constant explains.
        scale: What its scores are multiplied by.
        all: Every heuristic with its R², the best first.
    """

    name: str
    title: str
    request: str
    r_squared: float
    scale: float
    all: tuple[tuple[str, float], ...]


def nearest_heuristic(
    formulation: Formulation,
    graph: Graph,
    *,
    generator: torch.Generator,
    pairs_of_each_kind: int = 1000,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
) -> Nearest:
    """The heuristic of Table 2 or Appendix D that explains H_ij best, by least squares with a constant.

    Scores are compared on a sample of linked pairs, of pairs two steps apart, and of any pairs; no matrix of size N × N
    is formed. A pair never is a node with itself, so KI and GLHN, which differ there only, explain the same.

    Args:
        formulation: What is to be explained.
        graph: On which graph.
        generator: Draws the sample.
        pairs_of_each_kind: How many pairs of each of the three kinds are drawn, at most.
        memory: About how many bytes may be used at once.
        progress: Told about each heuristic.

    Raises:
        SettingsError: If H_ij is the same for all pairs of the sample, as that of H = I is.

    Example:
        >>> from hlgnn.formulation import parse
        >>> from hlgnn.graph import karate_club
        >>> found = nearest_heuristic(parse("ra"), karate_club(), generator=torch.Generator().manual_seed(0))
        >>> found.title, round(found.r_squared, 6), round(found.scale, 6)
        ('Resource allocation', 1.0, 1.0)
    """
    pairs = sample_pairs(graph, pairs_of_each_kind, generator)
    target = formulation.scores(graph, pairs, memory=memory)  # (P,)
    if len(pairs) == 0 or float(target.var(correction=0)) <= 1e-24 * float(target.square().mean()):
        raise SettingsError(
            "It gives all pairs of the sample the same score, so no heuristic explains it.",
            where=f"formulation {formulation.name!r}",
            hint="Use a graph with links, and a formulation with a weight beyond order 0.",
        )
    requests = {each: parse(each, self_loops=formulation.self_loops) for tried in CANDIDATES.values() for each in tried}
    scores = score_table(graph, pairs, requests, memory=memory, progress=progress)
    fits = {request: explained(score, target) for request, score in scores.items()}
    best = {name: max(tried, key=lambda each: fits[each][0]) for name, tried in CANDIDATES.items()}
    ranked = sorted(best, key=lambda name: -round(fits[best[name]][0], 12))
    name = ranked[0]
    r_squared, scale = fits[best[name]]
    every = tuple((each, fits[best[each]][0]) for each in ranked)
    return Nearest(name, entry_of(name).title, best[name], r_squared, scale, every)


def explained(score: Tensor, target: Tensor) -> tuple[float, float]:
    """R² and slope of target ≈ slope · score + constant; zero for a score that is constant.  (P,), (P,)

    Example:
        >>> explained(torch.tensor([0.0, 1.0, 2.0]), torch.tensor([1.0, 3.0, 5.0]))
        (1.0, 2.0)
    """
    x, y = score.double() - score.double().mean(), target.double() - target.double().mean()
    squares, total = float(x @ x), float(y @ y)
    if squares <= 1e-24 * max(1e-300, float(score.double().square().sum())) or total == 0:
        return 0.0, 0.0
    product = float(x @ y)
    return min(1.0, product * product / (squares * total)), product / squares


def sample_pairs(graph: Graph, count: int, generator: torch.Generator) -> Tensor:
    """Up to ``count`` linked pairs, pairs two steps apart that are not linked, and any pairs.  (P, 2)"""
    any_pairs = torch.randint(max(1, graph.num_nodes), (count, 2), generator=generator)
    drawn = [any_pairs]
    if graph.num_links:
        drawn = [_directed_edges(graph, count, generator), _two_steps(graph, count, generator), any_pairs]
    pairs = torch.cat(drawn)
    return pairs[pairs[:, 0] != pairs[:, 1]]


def _directed_edges(graph: Graph, count: int, generator: torch.Generator) -> Tensor:
    """Links drawn uniformly, each in either direction.  (count, 2)"""
    offset, neighbor = graph.adjacency.offset, graph.adjacency.neighbor
    edge = torch.randint(graph.adjacency.num_edges, (count,), generator=generator)
    source = torch.searchsorted(offset.contiguous(), edge.to(offset.dtype), right=True) - 1
    return torch.stack([source.long(), neighbor[edge].long()], dim=1)


def _two_steps(graph: Graph, count: int, generator: torch.Generator) -> Tensor:
    """Walks of two steps whose ends differ and are not linked; fewer if they are rare.  (≤ count, 2)"""
    first = _directed_edges(graph, 4 * count, generator)
    middle = first[:, 1]
    chance = torch.rand(len(first), generator=generator, dtype=torch.float64)
    step = (chance * graph.degree[middle]).long()
    end = graph.adjacency.neighbor[graph.adjacency.offset[middle] + step].long()
    pairs = torch.stack([first[:, 0], end], dim=1)
    apart = (pairs[:, 0] != pairs[:, 1]) & ~graph.has_links(pairs)
    return pairs[apart][:count]
