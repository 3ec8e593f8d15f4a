"""Every heuristic by its name in Python: build one, score pairs with it, rank missing links by it.

Example:
    >>> import torch
    >>> from hlgnn.graph import karate_club
    >>> ra = resource_allocation(self_loops=False)
    >>> ra.scores(karate_club(), torch.tensor([[0, 33]])).round(decimals=3).tolist()
    [0.9]
    >>> top_links(karate_club(), ra, k=1).pairs.tolist()
    [[2, 33]]
    >>> katz(gamma=0.1, order=3).formula()
    'H = 0.1 Ã + 0.01 Ã² + 0.001 Ã³'
"""

from hlgnn.formulation.catalogue import HEURISTICS, parse
from hlgnn.formulation.heuristics import (
    common_neighbors,
    flow_propagation,
    glhn,
    inverse_square,
    katz,
    llhn,
    local_path,
    local_random_walk,
    normalized_resource_allocation,
    random_walk_with_restart,
    resource_allocation,
    resource_allocation_by_rows,
)
from hlgnn.formulation.local_heuristics import (
    adamic_adar,
    hub_depressed,
    hub_promoted,
    jaccard,
    preferential_attachment,
    salton,
    sorensen,
)
from hlgnn.formulation.requests import score_table, top_links
from hlgnn.formulation.shortest_path import ShortestPath

__all__ = [
    "HEURISTICS",
    "ShortestPath",
    "adamic_adar",
    "common_neighbors",
    "flow_propagation",
    "glhn",
    "hub_depressed",
    "hub_promoted",
    "inverse_square",
    "jaccard",
    "katz",
    "llhn",
    "local_path",
    "local_random_walk",
    "normalized_resource_allocation",
    "parse",
    "preferential_attachment",
    "random_walk_with_restart",
    "resource_allocation",
    "resource_allocation_by_rows",
    "salton",
    "score_table",
    "sorensen",
    "top_links",
]
