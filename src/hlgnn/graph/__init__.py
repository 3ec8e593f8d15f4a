"""Graphs: what they are made of, where they come from, and how they are written down."""

from hlgnn.graph.adjacency import Adjacency
from hlgnn.graph.convert import from_networkx, from_pyg, from_scipy, to_networkx, to_pyg, to_scipy
from hlgnn.graph.frames import from_pandas, from_polars, to_pandas, to_polars
from hlgnn.graph.graph import Features, Graph
from hlgnn.graph.node_ids import NodeIds
from hlgnn.graph.tables import EdgeTable, FeatureTable, read_edges, read_features, read_pairs, write_links
from hlgnn.graph.toy_graphs import TOY_GRAPHS, complete, cycle, hexagons, karate_club, path, star, triangles

__all__ = [
    "TOY_GRAPHS",
    "Adjacency",
    "EdgeTable",
    "FeatureTable",
    "Features",
    "Graph",
    "NodeIds",
    "complete",
    "cycle",
    "from_networkx",
    "from_pandas",
    "from_polars",
    "from_pyg",
    "from_scipy",
    "hexagons",
    "karate_club",
    "path",
    "read_edges",
    "read_features",
    "read_pairs",
    "star",
    "to_networkx",
    "to_pandas",
    "to_polars",
    "to_pyg",
    "to_scipy",
    "triangles",
    "write_links",
]
