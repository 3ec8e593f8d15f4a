"""Reranked proposals: the model decides among them, and the recall says what they missed."""

from typing import Any

import pytest
import torch
from torch.nn.functional import cosine_similarity

from hlgnn.errors import SettingsError
from hlgnn.graph import Graph, path
from hlgnn.models import HLGNN
from hlgnn.ranking import (
    Candidates,
    propose_by_cosine,
    propose_by_neighbors,
    representations,
    reranked_links,
    top_links_of_nodes,
    top_model_links,
)
from toy_models import build, communities


def scored(kind: str = "mlp", **chosen: Any) -> tuple[Graph, HLGNN, Any]:
    graph = communities()
    model = build(graph, input={"hidden": 6}, propagation={"depth": 2}, head={"kind": kind, "hidden": 7}, **chosen)
    for parameter in model.head.parameters():
        torch.nn.init.normal_(parameter, generator=torch.Generator().manual_seed(0))
    model.eval()
    with torch.no_grad():
        return graph, model, model.encode(model.prepare(graph))


def rerank(parts: tuple[Graph, HLGNN, Any], proposals: torch.Tensor, k: int, **chosen: Any) -> Any:
    graph, model, state = parts
    candidates = chosen.pop("candidates", Candidates(graph))
    generator = torch.Generator().manual_seed(4)
    return reranked_links(model, state, candidates, proposals, k, generator=generator, **chosen)


@pytest.mark.parametrize("kind", ["mlp", "residual", "dot", "cosine", "diagonal"])
@pytest.mark.parametrize("minimum", [None, 0.5])
def test_with_all_pairs_it_is_exact_and_misses_nothing(kind: str, minimum: float | None) -> None:
    parts = scored(kind)
    graph, model, state = parts
    candidates = Candidates(graph, kinds=torch.arange(48) % 3, minimum=minimum)
    proposals = propose_by_cosine(representations(state), candidates, per_node=48)
    assert len(proposals) == candidates.count()
    found = rerank(parts, proposals, 30, candidates=candidates, sample_size=20)
    exact = top_model_links(model, state, candidates, 30)
    assert torch.equal(found.links.pairs, exact.pairs)
    assert torch.equal(found.links.scores, exact.scores)
    assert (found.recall, found.sample_size, found.num_proposals) == (1.0, 20, candidates.count())


def test_the_recall_is_the_share_of_exact_lists_that_the_reranked_ones_hold() -> None:
    parts = scored()
    graph, model, state = parts
    candidates = Candidates(graph)
    proposals = propose_by_cosine(representations(state), candidates, per_node=4)
    found = rerank(parts, proposals, 10, sample_size=1000, depth=5)
    assert found.sample_size == 48
    proposed = {tuple(pair) for pair in proposals.tolist()}
    hits = total = 0
    for node, exact in enumerate(top_links_of_nodes(model, state, candidates, torch.arange(48), 5)):
        pool = top_links_of_nodes(model, state, candidates, torch.tensor([node]), 48)[0].pairs.tolist()
        reranked = [pair for pair in pool if tuple(pair) in proposed][:5]
        hits += sum(pair in reranked for pair in exact.pairs.tolist())
        total += len(exact)
    assert found.recall == hits / total
    assert 0 < found.recall < 1


def test_without_proposals_nothing_is_found_and_the_recall_says_so() -> None:
    found = rerank(scored(), torch.empty(0, 2, dtype=torch.int64), 5)
    assert (len(found.links), found.recall) == (0, 0.0)


def test_where_there_is_nothing_to_find_nothing_is_missed() -> None:
    graph, model, state = scored()
    nothing = Candidates(graph, nodes=torch.empty(0, dtype=torch.int64))
    assert rerank((graph, model, state), graph.links, 5, candidates=nothing).recall == 1.0


def test_links_repeats_and_either_direction_are_cleaned_up() -> None:
    parts = scored()
    missing = top_model_links(parts[1], parts[2], Candidates(parts[0]), 3).pairs
    found = rerank(parts, torch.cat([missing, missing.flip(1), parts[0].links, torch.tensor([[2, 2]])]), 10)
    assert found.num_proposals == 3
    assert torch.equal(found.links.pairs, missing)


def test_the_generator_decides_the_sample() -> None:
    parts = scored()
    proposals = propose_by_cosine(representations(parts[2]), Candidates(parts[0]), per_node=3)
    first, second = (rerank(parts, proposals, 5, sample_size=7, depth=6).recall for _ in range(2))
    assert first == second


@pytest.mark.parametrize("memory", [24 * 48, 1 << 30])
def test_cosine_proposals_are_the_largest_cosines(memory: int) -> None:
    graph, _, state = scored()
    candidates, z = Candidates(graph), representations(state)
    cosine = cosine_similarity(z[:, None], z, dim=-1)
    cosine[~candidates.mask(torch.arange(48), torch.arange(48))] = -2
    expected = {tuple(sorted((i, int(j)))) for i in range(48) for j in cosine[i].topk(3).indices}
    proposals = propose_by_cosine(z, candidates, 3, memory=memory)
    assert {tuple(pair) for pair in proposals.tolist()} == expected


def test_neighbour_proposals_have_the_most_common_neighbours() -> None:
    graph = communities()
    adjacency = torch.from_numpy(graph.to_pattern().toarray())
    common = (adjacency @ adjacency).fill_diagonal_(0) * (1 - adjacency)
    expected = set()
    for i in range(48):
        order = sorted(range(48), key=lambda j: (-float(common[i, j]), j))
        expected |= {tuple(sorted((i, j))) for j in order[:4] if common[i, j] > 0}
    assert {tuple(pair) for pair in propose_by_neighbors(Candidates(graph), 4).tolist()} == expected
    assert propose_by_neighbors(Candidates(path(4)), 9).tolist() == [[0, 2], [1, 3]]


def test_states_without_representations_are_refused() -> None:
    with pytest.raises(SettingsError, match="Propose pairs by common neighbours"):
        representations("something else")
    graph, _, state = scored(path="once")
    assert representations(state).shape == (48, 6)
    assert representations(torch.ones(3, 2)).shape == (3, 2)
    assert graph.num_nodes == 48
