"""Growth is measured on the sizes that were asked for, of models that have the layers and the width that were."""

import pytest
import torch

from hlgnn.errors import SettingsError
from hlgnn.experiments.growth_sizes import ALIKE, OTHER_SIZES, SIZES, grows, growth_values
from hlgnn.experiments.table3 import ROWS
from hlgnn.experiments.tasks.growth import GROWTH, QUANTITIES, build_model, seconds_for_all_links
from hlgnn.experiments.tasks.random_graph import random_graph
from hlgnn.progress import silent

LEARNED = [method for method in ROWS if grows(method, "width")]


def parameters(method: str, layers: int, width: int) -> int:
    graph = random_graph(20, 40, width, torch.Generator().manual_seed(0))
    model = build_model(method, graph, layers, width, torch.Generator().manual_seed(0))
    assert not model.training
    return sum(each.numel() for each in model.parameters())


@pytest.mark.parametrize("method", ROWS)
def test_every_row_scores_all_links(method: str) -> None:
    graph = random_graph(20, 40, 4, torch.Generator().manual_seed(0))
    model = build_model(method, graph, 2, 4, torch.Generator().manual_seed(0))
    assert model.score(model.encode(model.prepare(graph)), graph.links).shape == (40,)
    assert seconds_for_all_links(model, graph) > 0


@pytest.mark.parametrize("method", LEARNED)
def test_layers_and_width_reach_the_model(method: str) -> None:
    assert parameters(method, 2, 4) < parameters(method, 3, 4)
    if method != "hlgnn":  # which has no matrix
        assert parameters(method, 2, 4) < parameters(method, 2, 8)
    else:
        assert parameters(method, 2, 4) == 3 == parameters(method, 2, 8)


def test_an_unknown_method_is_refused() -> None:
    with pytest.raises(SettingsError, match="mlp"):
        build_model("mlp", random_graph(4, 2, 2, torch.Generator()), 2, 2, torch.Generator())


def test_each_size_is_measured_as_often_as_asked_and_threads_are_given_back() -> None:
    before = torch.get_num_threads()
    values = growth_values("hlgnn", "layers", small=True)
    points = GROWTH.run(values, 0, silent)["points"]
    assert [each["size"] for each in points] == values["sizes"]
    assert all(len(each["seconds"]) == values["repeats"] and min(each["seconds"]) > 0 for each in points)
    assert torch.get_num_threads() == before


def test_every_method_has_three_growing_sizes_and_a_base_that_fits_them() -> None:
    for method in ROWS:
        for quantity in QUANTITIES:
            if not grows(method, quantity):
                continue
            values = growth_values(method, quantity)
            assert values["sizes"] == sorted(set(values["sizes"]))
            assert len(values["sizes"]) >= 3
            for size in values["sizes"]:
                shape = {**values["base"], quantity: size}
                assert shape["nodes"] <= shape["links"] <= shape["nodes"] * (shape["nodes"] - 1) // 2, (method, size)


def test_nothing_is_said_about_methods_that_are_not_measured() -> None:
    assert {*OTHER_SIZES, *ALIKE, *ALIKE.values()} <= set(ROWS)
    assert tuple(SIZES) == QUANTITIES
