"""The scores of many local rules in one pass over the pairs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import torch

from hlgnn.formulation.combinations import combine_pairs
from hlgnn.formulation.local_rules import ROWS
from hlgnn.formulation.local_sums import LEAST_PAIRS_FOR_THREADS, PAIRS_AT_ONCE, local_sums, pair_numbers
from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.formulation.normalization import Normalized, normalize
from hlgnn.graph.threads import num_threads, run_all, spans
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy.typing as npt
    from torch import Tensor

    from hlgnn.formulation.local_rules import LocalRule
    from hlgnn.graph import Graph

    Ints = npt.NDArray[np.int64]
    Floats = npt.NDArray[np.float64]


def view_of(graph: Graph, rule: LocalRule) -> Normalized:
    """The graph as ``rule`` sees it: with or without self-loops and weights."""
    adjacency = graph.adjacency if rule.weighted else replace(graph.adjacency, weight=None)
    return normalize(adjacency, self_loops=rule.self_loops)


def score_rules(
    graph: Graph,
    pairs: Tensor,
    rules: Sequence[LocalRule],
    *,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
) -> Tensor:
    """The scores of every rule; rules that see the graph alike share one pass.  (P, 2) -> (R, P)"""
    numbers = torch.from_numpy(pair_numbers(pairs, graph.num_nodes))
    passes = _passes(graph, rules)
    scores = torch.empty(len(rules), len(numbers), dtype=torch.float64)
    # Sums, ends and terms of a pair: eight bytes each.
    at_once = max(1, min(PAIRS_AT_ONCE, memory // (8 * (len(ROWS) + 10))))
    for start in range(0, len(numbers), at_once):
        stop = min(start + at_once, len(numbers))
        for each in passes:
            each.score(numbers[start:stop], scores[:, start:stop])
        progress("common neighbours", stop, len(numbers))
    return scores


def _passes(graph: Graph, rules: Sequence[LocalRule]) -> list[_Pass]:
    groups: dict[tuple[bool, bool], list[int]] = {}
    for position, rule in enumerate(rules):
        weighted = rule.weighted and graph.adjacency.weight is not None
        groups.setdefault((rule.self_loops, weighted), []).append(position)
    return [_Pass.prepare(graph, positions, [rules[at] for at in positions]) for positions in groups.values()]


@dataclass(frozen=True, eq=False)
class _Pass:
    """Rules that see the graph alike, and what they need of it."""

    normalized: Normalized
    positions: list[int]
    rules: list[LocalRule]
    rows: list[str]
    values: Tensor  # (M, N)

    @classmethod
    def prepare(cls, graph: Graph, positions: list[int], rules: list[LocalRule]) -> _Pass:
        normalized = view_of(graph, rules[0])
        rows = sorted({rule.row for rule in rules if rule.row is not None})
        values = torch.empty(len(rows), graph.num_nodes, dtype=torch.float64)
        for row, name in zip(values, rows, strict=True):
            row[:] = ROWS[name](normalized.degree)
        return cls(normalized, positions, rules, rows, values)

    def score(self, pairs: Tensor, scores: Tensor) -> None:
        """Write the scores of these rules to their rows of ``scores``.  (P, 2), (R, P)"""
        sums = local_sums(self.normalized, pairs, self.values).numpy()  # (P, M)
        numbers, rows = pairs.numpy(), [scores[position].numpy() for position in self.positions]
        cuts = spans(len(pairs), num_threads() if len(pairs) >= LEAST_PAIRS_FOR_THREADS else 1)
        run_all(
            self._first_term,
            [
                (rule, sums[start:stop], numbers[start:stop], row[start:stop])
                for rule, row in zip(self.rules, rows, strict=True)
                for start, stop in cuts
            ],
        )
        for rule, position in zip(self.rules, self.positions, strict=True):
            self._add_other_terms(rule, pairs, scores[position])

    def _first_term(self, rule: LocalRule, sums: Floats, pairs: Ints, scores: Floats) -> None:
        """Write scale · f(sum, a_i, a_j) to ``scores``.  (P, M), (P, 2), (P,)"""
        column = -1 if rule.row is None else self.rows.index(rule.row)
        if rule.is_plain_sum:
            np.multiply(sums[:, column], rule.scale, out=scores)
            return
        left, right = (end.numpy() for end in rule.ends(self.normalized.degree))  # (N,)
        combine_pairs(int(rule.combination), rule.scale, sums, column, left, right, pairs, scores)

    def _add_other_terms(self, rule: LocalRule, pairs: Tensor, scores: Tensor) -> None:
        source, target = pairs.unbind(dim=1)  # (P,)
        if rule.link:
            scores += rule.link * _entries(self.normalized, pairs) * self._powers(rule, source, target)
        if rule.loop:
            scores += rule.loop * (source == target).double()

    def _powers(self, rule: LocalRule, source: Tensor, target: Tensor) -> Tensor:
        """d̃_i^-p d̃_j^-q of the term for links, zero where a degree that divides is.  (P,)"""
        p, q = rule.link_powers
        return self.normalized.inverse[source] ** p * self.normalized.inverse[target] ** q


def _entries(normalized: Normalized, pairs: Tensor) -> Tensor:
    """ã_ij of each pair.  (P, 2) -> (P,)"""
    edge = normalized.adjacency.find_edges(pairs)
    found = edge >= 0
    entry = found.double()
    if normalized.weight is not None:
        entry[found] = normalized.weight[edge[found]]
    if normalized.self_loops:
        entry[pairs[:, 0] == pairs[:, 1]] = 1.0
    return entry
