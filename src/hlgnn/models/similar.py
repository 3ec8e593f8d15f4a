"""A second message graph: the links, and links between nodes whose features are alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array, diags_array

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.graph import Graph

ROWS_AT_ONCE = 1024


def with_similar(graph: Graph, alike: tuple[Tensor, Tensor]) -> Graph:
    """The graph joined with the pairs of alike nodes that ``most_alike`` found.  (P, 2), (P,)

    A link weighs one, or what it weighs already; a pair that is alike weighs its cosine. What is propagated over both
    reaches from one component of the links to another. The added links depend on features alone, so that a pair has
    the same ones whether it is a link, a hidden link, or none.
    """
    pairs, cosines = alike
    new = ~graph.has_links(pairs) & (cosines > 0)
    weight = torch.ones(graph.num_links) if graph.link_weight is None else graph.link_weight.float()
    return graph.with_links(torch.cat([graph.links, pairs[new]]), torch.cat([weight, cosines[new]]))


def most_alike(rows: csr_array, count: int) -> tuple[Tensor, Tensor]:
    """Pairs of a node with one of the ``count`` others whose rows have the largest cosines with its own, each once.

    (N, F) -> the pairs (P, 2), and their cosines (P,)
    """
    nodes = rows.shape[0]
    most = min(count, nodes - 1)
    length = np.sqrt(np.asarray(rows.multiply(rows).sum(axis=1))).ravel()
    units = csr_array(diags_array(np.divide(1.0, length, out=np.zeros_like(length), where=length > 0)) @ rows)
    others = csr_array(units.T)
    keys, cosines = [torch.empty(0, dtype=torch.int64)], [torch.empty(0, dtype=torch.float32)]
    for block in torch.arange(nodes).split(ROWS_AT_ONCE) if most > 0 else ():
        table = torch.from_numpy((units[block.numpy()] @ others).toarray()).float()  # (B, N)
        table[torch.arange(len(block)), block] = -2.0
        found = table.topk(most, dim=1)
        ends = block[:, None].expand_as(found.indices)
        keys.append((torch.minimum(ends, found.indices) * nodes + torch.maximum(ends, found.indices)).flatten())
        cosines.append(found.values.flatten())
    every, place = torch.cat(keys).unique(return_inverse=True)
    value = torch.zeros(len(every)).scatter_reduce(0, place, torch.cat(cosines), "amax", include_self=False)
    return torch.stack([every // max(1, nodes), every % max(1, nodes)], dim=1), value
