"""Missing links in the order of a trained model: exactly, for the whole graph or for some nodes, or reranked."""

from hlgnn.ranking.candidates import Candidates
from hlgnn.ranking.proposals import propose_by_cosine, propose_by_neighbors, representations
from hlgnn.ranking.reranked import RerankedLinks, reranked_links
from hlgnn.ranking.top_links import top_model_links
from hlgnn.ranking.top_of_nodes import top_links_of_nodes

__all__ = [
    "Candidates",
    "RerankedLinks",
    "propose_by_cosine",
    "propose_by_neighbors",
    "representations",
    "reranked_links",
    "top_links_of_nodes",
    "top_model_links",
]
