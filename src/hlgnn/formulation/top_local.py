"""The exact best missing links by a local heuristic, of a whole graph or of one node."""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation.combinations import Combination, combine_all
from hlgnn.formulation.local_bounds import Reach, Rows, Scoring, bounds_of_nodes, reach_of_nodes
from hlgnn.formulation.local_heuristics import local_rule
from hlgnn.formulation.local_rules import ROWS
from hlgnn.formulation.local_scores import view_of
from hlgnn.formulation.ranked import RankedLinks, best_of_all
from hlgnn.formulation.top_attachment import best_products
from hlgnn.formulation.top_kernels import Ranking, best_of_sources, fill_in_order, is_settled
from hlgnn.formulation.unlinked import first_unlinked, sums_of_node
from hlgnn.graph.threads import num_threads, run_all
from hlgnn.processes import SINGLE, Group
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation.formulation import Formulation
    from hlgnn.formulation.local_heuristics import LocalHeuristic
    from hlgnn.formulation.local_rules import LocalRule
    from hlgnn.formulation.normalization import Normalized
    from hlgnn.graph import Graph

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]

# Two-step walks of the first round; threads share what they have found after each, and the next one is larger.
WALKS_OF_FIRST_ROUND = 1 << 18
ROUNDS_GROW = 4
# How much of all walks may be spent on finding a first threshold.
SHARE_OF_SCOUTING = 1 / 32


def top_local(
    graph: Graph,
    heuristic: LocalHeuristic | Formulation,
    k: int,
    *,
    node: int | None = None,
    progress: Progress = silent,
    group: Group = SINGLE.everyone,
) -> RankedLinks:
    """The ``k`` pairs with the highest scores that are neither links nor loops; fewer if there are no more.

    The result is exact, ties included, and equals the ranking of all pairs; what is looked at are pairs with a common
    neighbour, from the most promising source down, until no source can reach the k-th score any more. If fewer than
    ``k`` pairs have a positive score, pairs with the score zero follow in the order of their nodes.

    Args:
        graph: The graph.
        heuristic: A local heuristic, or a formulation with two steps of one matrix each that is symmetric.
        k: How many pairs.
        node: Only pairs with this node.
        progress: Told how many sources are finished.
        group: The processes that share the sources; all have to call this, and all get the same.

    Raises:
        SettingsError: If the heuristic is not local or not symmetric, or ``k`` is negative, or there is no such node.

    Example:
        >>> from hlgnn.formulation.local_heuristics import adamic_adar
        >>> from hlgnn.graph import karate_club
        >>> best = top_local(karate_club(), adamic_adar(self_loops=False), k=2)
        >>> best.pairs.tolist(), best.scores.numpy().round(4).tolist()
        ([[2, 33], [0, 33]], [4.7194, 2.711])
    """
    task = _Task.prepare(graph, heuristic, k, node)
    if node is not None:
        return _best_of_node(task, node)
    if task.rule.combination is Combination.ATTACHMENT:
        scores, keys = best_products(graph.adjacency, task.scoring.ends, task.most)
    else:
        scores, keys = best_of_all(*_best_of_graph(task, progress, group), task.most, group)
    return _ranked(task, scores, keys)


@dataclass(frozen=True, eq=False)
class _Task:
    """What is asked for, as the kernels see it."""

    rule: LocalRule
    rows: Rows
    scoring: Scoring
    most: int  # k, or the number of pairs if that is less

    @classmethod
    def prepare(cls, graph: Graph, heuristic: LocalHeuristic | Formulation, k: int, node: int | None) -> _Task:
        rule = local_rule(heuristic)
        normalized = view_of(graph, rule)
        _check(heuristic.name, rule, normalized, k, node)
        weight = None if normalized.weight is None else normalized.weight.numpy()
        scoring = Scoring(
            combination=int(rule.combination),
            scale=rule.scale,
            power=rule.left,
            loop=float(rule.self_loops),
            counted=rule.row == "one" and weight is None,
            values=ROWS[rule.row or "one"](normalized.degree).numpy(),
            ends=rule.ends(normalized.degree)[0].numpy(),
        )
        rows = Rows(graph.adjacency.offset.numpy(), graph.adjacency.neighbor.numpy(), weight)
        size = graph.num_nodes
        pairs = size * (size - 1) // 2 - graph.num_links if node is None else size - 1 - int(graph.degree[node])
        return cls(rule, rows, scoring, min(k, pairs))

    @property
    def num_nodes(self) -> int:
        return len(self.scoring.ends)


def _check(name: str, rule: LocalRule, normalized: Normalized, k: int, node: int | None) -> None:
    if k < 0:
        raise SettingsError(f"The best {k} pairs cannot be listed.", where="k", hint="Give zero or more.")
    if node is not None and not 0 <= node < normalized.num_nodes:
        hint = f"Nodes are numbered from 0 to {normalized.num_nodes - 1}."
        raise SettingsError(f"There is no node {node}.", where="node", hint=hint)
    if rule.left != rule.right:
        hint = "An undirected link needs one score: use a symmetric heuristic."
        raise SettingsError("The scores of (i, j) and (j, i) differ.", where=f"heuristic {name!r}", hint=hint)
    if rule.scale < 0 or (normalized.weight is not None and bool((normalized.weight < 0).any())):
        hint = "The best pairs are found among those with a common neighbour: scores must not be negative."
        raise SettingsError("A weight is negative.", where=f"heuristic {name!r}", hint=hint)


def _best_of_node(task: _Task, node: int) -> RankedLinks:
    """The best pairs with one node: all scores of its row, zeros included."""
    scoring, size = task.scoring, task.num_nodes
    sums = sums_of_node(task.rows, scoring.values, node)
    ends = np.full(size, scoring.ends[node]), scoring.ends
    scores = combine_all(scoring.combination, scoring.scale, sums, *ends)
    allowed = np.ones(size, dtype=np.bool_)
    allowed[node] = False
    allowed[task.rows.neighbor[task.rows.offset[node] : task.rows.offset[node + 1]]] = False
    others = torch.from_numpy(np.flatnonzero(allowed))
    pairs = torch.stack([torch.full_like(others, node), others], dim=1)
    return RankedLinks.best(pairs, torch.from_numpy(scores)[others], task.most)


@dataclass(frozen=True, eq=False)
class _Search:
    """Sources in the order of their bounds, and rows in the orders that the search walks them in."""

    task: _Task
    reach: Reach
    ranking: Ranking
    heavy_first: Rows
    listed: Rows
    stop: Ints
    num_ranks: int  # sources with a positive bound

    @classmethod
    def prepare(cls, task: _Task) -> _Search:
        rows, nodes = task.rows, np.arange(task.num_nodes)
        reach = reach_of_nodes(rows, task.scoring.values)
        ranking = _ranking(bounds_of_nodes(task.scoring, reach))
        num_ranks = int((ranking.bound > 0).sum())
        heavy_first, listed = _empty_like(rows), _empty_like(rows)
        fill_in_order(rows, np.argsort(-np.diff(rows.offset), kind="stable"), nodes, heavy_first)
        stop = fill_in_order(rows, ranking.order[:num_ranks], ranking.rank_of, listed)
        return cls(task, reach, ranking, heavy_first, listed, stop, num_ranks)

    def best(self, sources: Ints, floor: float, floor_key: int) -> tuple[Floats, Ints]:
        """The best pairs met at these ranks that come before (floor, floor_key)."""
        graph = self.task.rows, self.heavy_first, self.listed, self.stop
        found = best_of_sources(
            *graph, self.task.scoring, self.reach, self.ranking, sources, self.task.most, floor, floor_key
        )
        return found[0], found[1]

    def scout(self) -> tuple[float, int]:
        """A pair that the k-th best one equals or precedes, found at the cheapest sources; (0, −1) without one.

        Where all bounds are alike, as those of Jaccard, their order does not lead to high scores.
        """
        if self.task.scoring.combination == Combination.QUOTIENT and self.task.scoring.power == 0.0:
            return 0.0, -1
        walks = self.reach.walks[self.ranking.order[: self.num_ranks]]
        cheapest = np.argsort(walks, kind="stable")
        few = np.searchsorted(np.cumsum(walks[cheapest]), walks.sum() * SHARE_OF_SCOUTING)
        scores, keys = self.best(cheapest[:few], 0.0, -1)
        if len(scores) < self.task.most:
            return 0.0, -1
        return float(scores[0]), int(keys[0]) + 1  # that pair itself is to be found again


def _empty_like(rows: Rows) -> Rows:
    return Rows(rows.offset, np.empty_like(rows.neighbor), None if rows.weight is None else np.empty_like(rows.weight))


def _ranking(bound: Floats) -> Ranking:
    """Nodes by descending bound, then ascending number."""
    size = len(bound)
    order = np.argsort(-bound, kind="stable")
    rank_of = np.empty(size, dtype=np.int64)
    rank_of[order] = np.arange(size)
    descending = bound[order]
    starts = np.flatnonzero(np.append(True, descending[1:] != descending[:-1])[:size])
    lengths = np.diff(np.append(starts, size))
    smallest = np.append(size, np.minimum.accumulate(order))[starts]
    classes = (np.repeat(each, lengths) for each in (starts, starts + lengths, smallest))
    return Ranking(order, rank_of, descending, *classes)


def _best_of_graph(task: _Task, progress: Progress, group: Group) -> tuple[Floats, Ints]:
    """The best pairs with a positive score that are met at the sources of this process: scores and keys, unordered."""
    scores, keys = np.empty(0), np.empty(0, dtype=np.int64)
    if task.most == 0:
        return scores, keys
    search = _Search.prepare(task)
    floor, floor_key = search.scout()
    sources = np.arange(group.rank, search.num_ranks, group.size)
    for cuts in _rounds(search.reach.walks[search.ranking.order[sources]]):
        if is_settled(search.ranking, sources[cuts[0][0]], floor, floor_key):
            break
        found = run_all(search.best, [(sources[begin:end], floor, floor_key) for begin, end in cuts])
        scores = np.concatenate([scores, *(part[0] for part in found)])
        keys = np.concatenate([keys, *(part[1] for part in found)])
        if len(scores) >= task.most:
            best = np.lexsort((keys, -scores))[: task.most]
            scores, keys = scores[best], keys[best]
            floor, floor_key = float(scores[-1]), int(keys[-1])
        progress("sources", cuts[-1][1], len(sources))
    return scores, keys


def _rounds(walks: Ints) -> list[list[tuple[int, int]]]:
    """Cut the ranks into rounds that grow, and each round into ranges of about equal cost, one for each thread."""
    cost = np.cumsum(walks)
    rounds, start, budget = [], 0, WALKS_OF_FIRST_ROUND
    while start < len(cost):
        done = cost[start - 1] if start > 0 else 0
        threads = num_threads() if budget > WALKS_OF_FIRST_ROUND else 1
        bounds = np.searchsorted(cost, done + budget * np.arange(1, threads + 1) // threads, side="right")
        cuts = [start, *np.maximum(bounds, start + 1).clip(max=len(cost)).tolist()]
        rounds.append([(begin, end) for begin, end in itertools.pairwise(cuts) if begin < end])
        start, budget = cuts[-1], budget * ROUNDS_GROW
    return rounds


def _ranked(task: _Task, scores: Floats, keys: Ints) -> RankedLinks:
    """Sort what was found, and complete it with pairs whose score is zero."""
    missing = task.most - len(keys)
    if missing > 0:
        rest = first_unlinked(task.rows, np.sort(keys), missing)
        scores, keys = np.append(scores, np.zeros(len(rest))), np.append(keys, rest)
    pairs = np.stack([keys // max(1, task.num_nodes), keys % max(1, task.num_nodes)], axis=1)  # (k, 2)
    return RankedLinks.best(torch.from_numpy(pairs), torch.from_numpy(scores), task.most)
