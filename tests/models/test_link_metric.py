"""The metric of the links against the product of three dense operators."""

from __future__ import annotations

import torch
from hypothesis import given

from dense_matrices import dense_adjacency
from hlgnn.graph import Graph, complete, karate_club
from hlgnn.models.link_metric import link_metric
from strategies import graphs


def drawn(count: int, width: int) -> torch.Tensor:
    return torch.randn(count, width, generator=torch.Generator().manual_seed(count), dtype=torch.float64)


@given(graph=graphs())
def test_products_in_it_are_similar_to_linked_to_similar(graph: Graph) -> None:
    """X S Xᵀ = K A K / 2M with K = X Xᵀ, but for the directions in which the ends of links differ."""
    x = drawn(graph.num_nodes, 4)
    dense = torch.from_numpy(dense_adjacency(graph, self_loops=False)).gt(0).double()
    root = link_metric(x, graph.links)
    similarity = x @ x.T
    expected = similarity @ dense @ similarity / max(1, 2 * graph.num_links)
    negative = torch.linalg.eigh(x.T @ dense @ x / max(1, 2 * graph.num_links))
    dropped = (x @ negative.eigenvectors * negative.eigenvalues.clamp(max=0)) @ (x @ negative.eigenvectors).T
    torch.testing.assert_close(x @ root @ root @ x.T, expected - dropped, atol=1e-8, rtol=1e-8)


def test_where_all_are_linked_only_what_ends_have_in_common_counts() -> None:
    """In a complete graph of centred features the ends of links differ in every direction."""
    x = drawn(6, 3)
    centred = x - x.mean(dim=0)
    torch.testing.assert_close(link_metric(centred, complete(6).links), torch.zeros(3, 3, dtype=torch.float64))


def test_the_direction_of_links_does_not_matter() -> None:
    graph = karate_club()
    x = drawn(graph.num_nodes, 5)
    torch.testing.assert_close(link_metric(x, graph.links), link_metric(x, graph.links.flip(1)))


def test_a_graph_without_links_has_none() -> None:
    assert torch.equal(link_metric(torch.eye(3), torch.empty(0, 2, dtype=torch.int64)), torch.zeros(3, 3))
