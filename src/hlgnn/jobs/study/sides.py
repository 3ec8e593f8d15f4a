"""The two sides of a bipartite graph."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from scipy.sparse import block_array, csr_array
from scipy.sparse.csgraph import connected_components

from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph


def is_bipartite(graph: Graph) -> bool:
    """Whether every link joins two sides: then the double cover has twice as many components."""
    if graph.num_links == 0:
        return False
    return _cover(graph)[0] == 2 * len(graph.components().unique())


def two_sides(graph: Graph) -> Tensor:
    """0 or 1 for each node, so that links join a 0 and a 1; the first node of each component is a 0.  (N,)

    Raises:
        SettingsError: If there are no two sides.

    Example:
        >>> from hlgnn.graph import path
        >>> two_sides(path(4)).tolist()
        [0, 1, 0, 1]
    """
    if not is_bipartite(graph):
        raise SettingsError(
            "The graph is not bipartite: some nodes in a ring of odd length.",
            where="--bipartite",
            hint="Give the kind of each node by --kinds instead.",
        )
    _, labels = _cover(graph)
    upper, lower = labels.view(2, -1)  # the copies of a node are in different components of the cover
    found: Tensor = (upper > lower).long()
    return found


def _cover(graph: Graph) -> tuple[int, Tensor]:
    """The components of the double cover, in which (i, upper) and (j, lower) are linked if i and j are."""
    pattern = csr_array(graph.to_pattern())
    count, labels = connected_components(block_array([[None, pattern], [pattern, None]], format="csr"), directed=False)
    return int(count), torch.from_numpy(labels).long()
