"""A graph without some of its links."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.errors import GraphFormatError
from hlgnn.graph import Graph, path, star
from strategies import graphs


def link_set(graph: Graph) -> set[tuple[int, int]]:
    return {(i, j) for i, j in graph.links.tolist()}


@settings(max_examples=20)
@given(graph=graphs(weighted=None, with_features=None, labelled=None), data=st.data())
def test_exactly_the_named_links_are_gone(graph: Graph, data: st.DataObject) -> None:
    node = st.integers(0, graph.num_nodes - 1)
    named = data.draw(st.lists(st.tuples(node, node)))
    rest = graph.without_links(torch.tensor(named, dtype=torch.int64).view(-1, 2))
    gone = {(min(pair), max(pair)) for pair in named}
    assert link_set(rest) == link_set(graph) - gone
    assert rest.num_nodes == graph.num_nodes
    assert rest.node_ids == graph.node_ids or list(rest.node_ids) == list(graph.node_ids)
    assert rest.features is graph.features
    built = graph.with_links(rest.links, rest.link_weight).adjacency  # what is cut out of rows is what is built anew
    assert torch.equal(rest.adjacency.offset, built.offset)
    assert torch.equal(rest.adjacency.neighbor, built.neighbor)
    if graph.link_weight is not None and rest.num_links:
        kept = dict(zip(map(tuple, graph.links.tolist()), graph.link_weight.tolist(), strict=True))
        expected = [kept[i, j] for i, j in rest.links.tolist()]
        assert expected == ([1.0] * rest.num_links if rest.link_weight is None else rest.link_weight.tolist())


@settings(max_examples=20)
@given(graph=graphs(weighted=None))
def test_without_all_links_there_are_none_and_without_none_all(graph: Graph) -> None:
    assert graph.without_links(graph.links.flip(1)).num_links == 0
    assert torch.equal(graph.without_links(graph.links[:0]).links, graph.links)


def test_narrow_integers_do_not_overflow() -> None:
    graph = star(70_000)
    rest = graph.without_links(torch.tensor([[70_000, 0], [69_999, 0]], dtype=torch.int32))
    assert rest.num_links == 69_998
    assert not rest.has_links(torch.tensor([[0, 70_000], [0, 69_999]])).any()


@pytest.mark.parametrize("pair", [[0, 5], [-1, 5], [3, 0]])
def test_a_node_that_does_not_exist_is_named(pair: list[int]) -> None:
    # Of three nodes: without a check, the numbers of these pairs would be those of other links.
    with pytest.raises(GraphFormatError, match=r"There is no node (5|-1|3) among 0 … 2"):
        path(3).without_links(torch.tensor([pair]))
