"""Training negatives are no links of the message graph, and know nothing else."""

import pytest
import torch
from hypothesis import assume, given
from hypothesis import strategies as st

from hlgnn.errors import SplitError, UnknownNameError
from hlgnn.graph import Graph, complete, path, star
from hlgnn.training import SAMPLERS
from strategies import graphs


def generator(seed: int = 0) -> torch.Generator:
    return torch.Generator().manual_seed(seed)


@pytest.mark.parametrize("name", list(SAMPLERS))
@given(graph=graphs(min_nodes=10, max_nodes=20), count=st.integers(1, 4), seed=st.integers(0, 999))
def test_negatives_are_no_links_and_no_loops(name: str, graph: Graph, count: int, seed: int) -> None:
    assume(graph.num_links > 0)
    assume(int(graph.degree.max()) < graph.num_nodes // 2)
    positive = torch.cat([graph.links, graph.links.flip(1)])
    if name == "permuted":  # its targets come from the batch: leave it some that are no neighbours
        assume(len(positive[:, 1].unique()) > int(graph.degree.max()) + 1)
    pairs = SAMPLERS[name](graph, positive, count, generator(seed))
    assert pairs.shape == (len(positive), count, 2)
    assert not graph.has_links(pairs.flatten(0, 1)).any()
    assert (pairs[..., 0] != pairs[..., 1]).all()
    assert torch.equal(pairs, SAMPLERS[name](graph, positive, count, generator(seed)))
    if name != "uniform":
        assert (pairs[..., 0] == positive[:, None, 0]).all()


def test_permuted_keeps_the_targets_of_the_batch() -> None:
    graph = path(2000)
    pairs = SAMPLERS["permuted"](graph, graph.links, 1, generator())
    kept = torch.isin(pairs[:, 0, 1].sort().values, graph.links[:, 1])
    assert kept.all()
    assert len(pairs[:, 0, 1].unique()) > 0.99 * len(pairs)


def test_a_held_out_link_may_become_a_training_negative() -> None:
    # Only the message graph is known: with everything else linked, the held-out link is the one negative left.
    whole = complete(6)
    messages = whole.keep_links(torch.arange(whole.num_links) != 0)
    pairs = SAMPLERS["uniform"](messages, messages.links, 1, generator())
    assert set(map(frozenset, pairs.flatten(0, 1).tolist())) == {frozenset(whole.links[0].tolist())}


def test_a_node_that_is_linked_to_all_has_no_negatives() -> None:
    graph = star(leaves=5)
    with pytest.raises(SplitError, match="Node 0 is linked to every other node"):
        SAMPLERS["per_source"](graph, graph.links, 1, generator())


def test_a_complete_graph_has_no_negatives() -> None:
    with pytest.raises(SplitError, match="nearly everything is linked"):
        SAMPLERS["uniform"](complete(4), complete(4).links, 1, generator())


def test_unknown_sampler() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'uniform'"):
        SAMPLERS["unifrom"]


def test_the_uniform_sampler_does_not_advise_itself() -> None:
    with pytest.raises(SplitError) as caught:
        SAMPLERS["uniform"](complete(4), complete(4).links, 1, torch.Generator())
    assert "uniform" not in caught.value.hint
    assert "sparser graph" in caught.value.hint
