"""Counts by class: those of a breadth-first search when counted exactly, and near them when sketched."""

from collections import Counter

import networkx as nx
import pytest
import torch

from hlgnn.baselines.buddy import BuddySettings
from hlgnn.baselines.buddy.balls import build_balls
from hlgnn.baselines.buddy.pair_counts import mirror_columns, pair_counts
from hlgnn.baselines.buddy.structure import CLASSES, blanked, class_counts, mirrored, published_slips
from hlgnn.errors import SettingsError
from hlgnn.graph import Graph

SETTINGS = {"counting": "exact", "zero_one": True}


def random_graph(seed: int, nodes: int = 40, links: int = 50) -> Graph:
    """Sparse enough for several components and isolated nodes."""
    return Graph.from_edges(nodes, torch.randint(nodes, (links, 2), generator=torch.Generator().manual_seed(seed)))


def all_pairs(graph: Graph) -> torch.Tensor:
    return torch.cartesian_prod(torch.arange(graph.num_nodes), torch.arange(graph.num_nodes))


def by_search(graph: Graph, hops: int) -> torch.Tensor:
    """Every class of every pair by networkx's distances; a node is at distance one from itself, 0 means far."""
    known = nx.Graph(graph.links.tolist())
    known.add_nodes_from(range(graph.num_nodes))
    far = {
        i: {w: max(1, d) for w, d in near.items() if d <= hops} for i, near in nx.all_pairs_shortest_path_length(known)
    }
    rows = []
    for i, j in all_pairs(graph).tolist():
        count = Counter((far[i].get(w, 0), far[j].get(w, 0)) for w in known)
        rows.append([count[each] for each in CLASSES[hops]])
    return torch.tensor(rows, dtype=torch.float32)


@pytest.mark.parametrize("hops", [1, 2, 3])
@pytest.mark.parametrize("seed", range(3))
def test_exact_counts_are_those_of_a_search(hops: int, seed: int) -> None:
    graph = random_graph(seed, links=40 + 20 * seed)
    counts = pair_counts(graph, BuddySettings(hops=hops, **SETTINGS))
    assert torch.equal(counts.numbers(all_pairs(graph)), by_search(graph, hops))


@pytest.mark.parametrize("hops", [2, 3])
def test_exact_counts_do_not_depend_on_how_nodes_are_numbered(hops: int) -> None:
    graph, settings = random_graph(5), BuddySettings(hops=hops, normed=True, **SETTINGS)
    order = torch.randperm(graph.num_nodes, generator=torch.Generator().manual_seed(6))
    renamed = graph.with_links(order[graph.links])
    pairs = all_pairs(graph)
    assert torch.equal(
        pair_counts(graph, settings).numbers(pairs), pair_counts(renamed, settings).numbers(order[pairs])
    )


@pytest.mark.parametrize("counting", ["exact", "sketch"])
@pytest.mark.parametrize("hops", [1, 2, 3])
def test_the_other_end_sees_the_mirrored_classes(counting: str, hops: int) -> None:
    settings = BuddySettings(counting=counting, hops=hops, normed=True, zero_one=True)
    graph = random_graph(7)
    counts, pairs = pair_counts(graph, settings), all_pairs(graph)
    there = counts.numbers(pairs.flip(1))[:, mirror_columns(settings)]
    torch.testing.assert_close(counts.numbers(pairs), there, atol=1e-4, rtol=1e-5)


@pytest.mark.parametrize("hops", [2, 3])
def test_sketched_counts_are_near_the_exact_ones(hops: int) -> None:
    graph = random_graph(8, nodes=100, links=150)
    pairs = all_pairs(graph)
    exact = pair_counts(graph, BuddySettings(hops=hops, **SETTINGS)).numbers(pairs)
    close = BuddySettings(hops=hops, zero_one=True, permutations=2048, precision=14)
    plain = BuddySettings(hops=hops, zero_one=True)
    errors = [(pair_counts(graph, each).numbers(pairs) - exact).square().mean().sqrt() for each in (close, plain)]
    assert float(errors[0]) < 0.5  # nodes, of neighbourhoods of dozens
    assert float(errors[0]) < 0.5 * float(errors[1])


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_normed_counts_are_divided_by_degrees(hops: int) -> None:
    graph = random_graph(9)
    pairs = all_pairs(graph)
    counts, normed = (
        pair_counts(graph, BuddySettings(hops=hops, normed=True, **SETTINGS)).numbers(pairs).tensor_split(2, dim=1)
    )
    degrees = graph.degree[pairs].prod(dim=1)
    alone = degrees == 0
    assert bool(alone.any())
    assert not normed[alone].any()
    torch.testing.assert_close(normed[~alone], counts[~alone] / degrees[~alone, None].sqrt())


def test_resource_allocation_is_that_of_networkx() -> None:
    graph = random_graph(10)
    known = nx.Graph(graph.links.tolist())
    known.add_nodes_from(range(graph.num_nodes))
    pairs = torch.tensor([(i, j) for i, j in all_pairs(graph).tolist() if i != j])
    found = pair_counts(graph, BuddySettings()).allocation(pairs)
    index = [value for _, _, value in nx.resource_allocation_index(known, pairs.tolist())]
    torch.testing.assert_close(found, torch.tensor(index)[:, None])


def printed_two(meet: torch.Tensor, left: torch.Tensor, right: torch.Tensor) -> list[torch.Tensor]:
    """K = 2, written out as the public program has it."""
    both = meet[:, 0, 0]
    far_left, far_right = meet[:, 1, 0] - both, meet[:, 0, 1] - both
    last = meet[:, 1, 1] - both - far_left - far_right
    one, other = right[:, 0] - both - far_left, left[:, 0] - both - far_right
    inner = both + far_left + far_right + last
    return [both, far_left, far_right, last, one, other, right[:, 1] - inner - one, left[:, 1] - both - inner - other]


def test_the_published_form_for_two_hops() -> None:
    generator = torch.Generator().manual_seed(0)
    meet, left, right = (torch.rand(9, *shape, generator=generator) for shape in ((2, 2), (2,), (2,)))
    printed = torch.stack(printed_two(meet, left, right), dim=1)
    mended = class_counts(meet, left, right)
    torch.testing.assert_close(published_slips(mended, 2), printed)
    assert (mended != published_slips(mended, 2)).any(dim=0).tolist() == [False] * 7 + [True]


def test_the_published_form_for_three_hops() -> None:
    generator = torch.Generator().manual_seed(1)
    meet, left, right = (torch.rand(9, *shape, generator=generator) for shape in ((3, 3), (3,), (3,)))
    mended = class_counts(meet, left, right)
    a = dict(zip(CLASSES[3], published_slips(mended, 3).T, strict=True))
    second = left[:, 1] - a[1, 1] - a[2, 1] - a[1, 2] - a[2, 2] - a[3, 1] - a[2, 3] - a[1, 0]
    inner = sum(value for each, value in a.items() if 0 not in each)
    torch.testing.assert_close(a[2, 0], second)
    torch.testing.assert_close(a[3, 0], left[:, 2] - inner - a[1, 0] - second)
    changed = (mended != published_slips(mended, 3)).any(dim=0)
    assert [each for each, differs in zip(CLASSES[3], changed.tolist(), strict=True) if differs] == [(2, 0), (3, 0)]


def test_which_columns_are_blank() -> None:
    def names(hops: int, form: str) -> set[tuple[int, int]]:
        return {CLASSES[hops][column] for column in blanked(hops, form)}

    assert names(1, "mended") == set()
    assert names(2, "mended") == names(2, "published") == {(0, 1), (1, 0)}
    assert names(3, "mended") == {(0, 1), (1, 0), (0, 2), (2, 0)}
    assert names(3, "published") == {(3, 1), (1, 3), (0, 2), (2, 0)}
    counts = pair_counts(random_graph(3), BuddySettings(counting="exact", hops=3))
    numbers = counts.numbers(all_pairs(random_graph(3)))
    assert not numbers[:, blanked(3, "mended")].any()


@pytest.mark.parametrize("hops", [1, 2, 3])
def test_classes_are_k_times_k_plus_two_and_mirror_themselves(hops: int) -> None:
    assert len(set(CLASSES[hops])) == len(CLASSES[hops]) == hops * (hops + 2)
    mirror = mirrored(hops)
    assert [mirror[column] for column in mirror] == list(range(len(mirror)))


def test_exact_counting_refuses_what_is_too_large(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hlgnn.baselines.buddy.balls.MOST_ENTRIES", 100)
    with pytest.raises(SettingsError, match=r"model\.counting"):
        build_balls(random_graph(0), 2)
