"""Any mixture of heuristics: each is scored, and ranked, in the way that suits it."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from hlgnn.errors import SettingsError
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.local_heuristics import LocalHeuristic, local_rule
from hlgnn.formulation.local_rules import as_local
from hlgnn.formulation.local_scores import score_rules
from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.formulation.series import Series
from hlgnn.formulation.shortest_path import ShortestPath, nearest_links
from hlgnn.formulation.symmetrized import Symmetrized
from hlgnn.formulation.top_global import top_global
from hlgnn.formulation.top_local import top_local
from hlgnn.processes import SINGLE, Group
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from torch import Tensor

    from hlgnn.formulation.heuristic import Heuristic
    from hlgnn.formulation.ranked import RankedLinks
    from hlgnn.graph import Graph


def score_table(
    graph: Graph,
    pairs: Tensor,
    heuristics: Mapping[str, Heuristic],
    *,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
    group: Group = SINGLE.everyone,
) -> dict[str, Tensor]:
    """The scores of each heuristic by its key; all local ones share one pass over the pairs.  (P, 2) -> (P,) each

    Of several processes each scores the pairs of some sources, and all get everything.

    Example:
        >>> import torch
        >>> from hlgnn.formulation.catalogue import parse
        >>> from hlgnn.graph import star
        >>> scores = score_table(star(4), torch.tensor([[1, 2]]), {name: parse(name) for name in ("cn", "lpi", "pa")})
        >>> {name: score.item() for name, score in scores.items()}
        {'cn': 1.0, 'lpi': 1.03, 'pa': 4.0}
    """
    if not group.alone:
        return _score_together(graph, pairs, heuristics, memory, progress, group)
    local = {key: local_rule(each) for key, each in heuristics.items() if _is_local(each)}
    shared = score_rules(graph, pairs, list(local.values()), memory=memory, progress=progress) if local else ()
    found = dict(zip(local, shared, strict=True))
    return {
        key: found[key] if key in found else each.scores(graph, pairs, memory=memory, progress=progress)
        for key, each in heuristics.items()
    }


def _score_together(
    graph: Graph, pairs: Tensor, heuristics: Mapping[str, Heuristic], memory: int, progress: Progress, group: Group
) -> dict[str, Tensor]:
    """The same by several processes: pairs of one source stay together."""
    order = pairs[:, 0].argsort(stable=True)  # (P,)
    own = pairs[order[group.share(len(order))]]
    scores = score_table(graph, own, heuristics, memory=memory, progress=progress)
    back = order.argsort()
    return {key: group.gather_rows(values, "scores")[back] for key, values in scores.items()}


def top_links(
    graph: Graph,
    heuristic: Heuristic,
    k: int,
    *,
    node: int | None = None,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
    group: Group = SINGLE.everyone,
) -> RankedLinks:
    """The exact best k missing links by any heuristic, of the whole graph or of one node.

    Of several processes each looks at some sources, and all get the same.

    Raises:
        SettingsError: If nothing is known about how to rank by such a heuristic.

    Example:
        >>> from hlgnn.formulation.catalogue import parse
        >>> from hlgnn.graph import path
        >>> [top_links(path(4), parse(name), k=1).pairs.tolist() for name in ("ra", "ki", "shortest-path")]
        [[[0, 2]], [[0, 2]], [[0, 2]]]
    """
    if isinstance(heuristic, LocalHeuristic) or (isinstance(heuristic, Formulation) and _ranks_locally(heuristic)):
        return top_local(graph, heuristic, k, node=node, progress=progress, group=group)
    if isinstance(heuristic, ShortestPath):
        return nearest_links(graph, k, node=node, progress=progress)
    if isinstance(heuristic, Formulation | Series | Symmetrized):
        return top_global(graph, heuristic, k, node=node, memory=memory, progress=progress, group=group)
    raise SettingsError(f"Links cannot be ranked by {heuristic.name!r}.", where="heuristic")


def _is_local(heuristic: Heuristic) -> TypeGuard[LocalHeuristic | Formulation]:
    if isinstance(heuristic, Formulation):
        return as_local(heuristic) is not None
    return isinstance(heuristic, LocalHeuristic)


def _ranks_locally(formulation: Formulation) -> bool:
    """Pairs with a common neighbour can be ranked by their sum alone if it is symmetric and never negative."""
    return as_local(formulation) is not None and formulation.symmetric and formulation.betas[2] >= 0
