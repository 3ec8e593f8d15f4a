"""Random graphs of a given size with a heavy tail of degrees."""

import pytest
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from hlgnn.data.synthetic_ogb import SIZES
from hlgnn.data.synthetic_tail import heavy_tailed, most_ends
from hlgnn.errors import SettingsError


def drawn(num_nodes: int, num_links: int, largest: int, seed: int = 0, tail: float = 0.5) -> torch.Tensor:
    graph = heavy_tailed(num_nodes, num_links, largest, torch.Generator().manual_seed(seed), tail=tail)
    assert graph.num_nodes == num_nodes
    return graph.links


@settings(max_examples=30)
@given(num_nodes=st.integers(20, 400), mean=st.floats(1, 6), seed=st.integers(0, 99), tail=st.floats(0.2, 0.8))
def test_it_is_simple_has_exactly_the_links_and_repeats_itself(
    num_nodes: int, mean: float, seed: int, tail: float
) -> None:
    count = int(num_nodes * mean / 2) + 1
    most = min(num_nodes, most_ends(num_nodes, count, tail))
    largest = int(max(2 * count / num_nodes + 1, most / 2))
    assume(largest < most)  # a flat tail of few nodes reaches no degree above the mean
    links = drawn(num_nodes, count, largest, seed, tail)
    assert len(links) == count == len(links.unique(dim=0))
    assert (links[:, 0] < links[:, 1]).all()
    assert torch.equal(links, drawn(num_nodes, count, largest, seed, tail))
    assert not torch.equal(links, drawn(num_nodes, count, largest, seed + 100, tail))


def test_the_tail_falls_as_asked_for() -> None:
    """P(degree > d) ∝ d^(-1 / tail) between the mean and the largest degree, which is about the wanted one."""
    for tail in (0.5, 0.7):
        degree = torch.bincount(drawn(200_000, 1_000_000, 1_000, tail=tail).flatten(), minlength=200_000)
        assert 850 < int(degree.max()) < 1_150
        at = torch.tensor([50.0, 100.0, 200.0])
        above = (degree[None] > at[:, None]).sum(dim=1)
        slopes = (above.double().log().diff() / at.double().log().diff()).tolist()
        assert slopes == pytest.approx([-1 / tail] * 2, rel=0.2)


def test_numbers_of_nodes_say_nothing_about_degrees() -> None:
    degree = torch.bincount(drawn(20_000, 100_000, 500).flatten(), minlength=20_000).double()
    halves = degree.view(2, -1).mean(dim=1)
    assert float(halves[0] / halves[1]) == pytest.approx(1, abs=0.1)


def test_what_does_not_exist_is_refused() -> None:
    generator = torch.Generator()
    with pytest.raises(SettingsError, match="above the mean"):
        heavy_tailed(10, 40, 8, generator)
    with pytest.raises(SettingsError, match="below 3"):
        heavy_tailed(10, 5, 10, generator)
    with pytest.raises(SettingsError, match="below 10, not 10"):
        heavy_tailed(10, 20, 10, generator)
    with pytest.raises(SettingsError, match="tail between 0 and 1"):
        heavy_tailed(10, 5, 4, generator, tail=1.0)


def test_sizes_are_those_that_ogb_states() -> None:
    """Nodes and edges of Hu et al. 2020; of collab those of training."""
    assert {name: (SIZES[name].num_nodes, SIZES[name].num_links) for name in SIZES} == {
        "ogbl-collab": (235_868, 1_179_052),
        "ogbl-ppa": (576_289, 30_326_273),
        "ogbl-citation2": (2_927_963, 30_561_187),
    }
    small = SIZES["ogbl-ppa"].scaled(0.01)
    assert small.graph(torch.Generator().manual_seed(0)).num_links == small.num_links
