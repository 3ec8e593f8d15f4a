"""Counts are those of the tensors of a built model, and the printed ones where the widths are known."""

from math import prod

import pytest
import torch
from torch import nn

from hlgnn.catalog import DATASETS
from hlgnn.experiments.experiment import Scale
from hlgnn.experiments.table6 import COLUMNS, ROWS, TABLE6, printed_count, rounds_to
from hlgnn.experiments.tasks.parameters import PARAMETERS, bare_graph, count_parameters, parameter_values
from hlgnn.jobs.presets import settings_for
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.train import prepare_run
from hlgnn.progress import silent


@pytest.mark.parametrize("method", [*ROWS, "mf", "cn"])
def test_a_count_is_the_sum_of_the_sizes_of_all_tensors(method: str) -> None:
    settings = settings_for("cora", model_name=method, protocol="paper")
    model = prepare_run(settings).model
    found = PARAMETERS.run(parameter_values(settings, "split"), 0, silent)
    assert found["parameters"] == sum(prod(each.shape) for each in model.parameters())
    assert sum(found["parts"].values()) == found["parameters"]


def test_what_is_not_learned_does_not_count() -> None:
    model = nn.ModuleDict({"one": nn.Linear(3, 4), "other": nn.Linear(2, 1)})
    model["other"].requires_grad_(False)
    model.register_buffer("kept", torch.zeros(9))
    assert count_parameters(model) == {"parameters": 16, "parts": {"one": 16}}


@pytest.mark.parametrize("method", ["gcn", "gat", "neo-gnn", "hlgnn"])
def test_a_bare_graph_gives_the_counts_of_the_real_one(method: str) -> None:
    preset = "small" if method == "hlgnn" else "default"
    settings = settings_for("cora", model_name=method, protocol="paper", preset=preset)
    bare, real = (PARAMETERS.run(parameter_values(settings, each), 0, silent) for each in ("card", "split"))
    assert bare == real


def test_a_bare_graph_has_the_size_that_its_card_says() -> None:
    for card in (DATASETS["cora"], DATASETS["ogbl-ddi"]):
        graph = bare_graph(card)
        assert (graph.num_nodes, graph.num_features, graph.num_links) == (card.num_nodes, card.num_features, 0)


PRINTED = {
    "HL-GNN": dict(zip(COLUMNS, (433_174, 1_014_294, 194_326, 99_089, 1_224_209), strict=True)),
    "GCN": dict(zip(COLUMNS, (564_737, 1_145_857, 325_889, 230_657, 1_355_777), strict=True)),
}
"""The counts of decision 0005."""


@pytest.mark.parametrize("row", PRINTED)
def test_counts_with_the_widths_of_table_6_are_the_printed_ones(row: str) -> None:
    wanted = {each.column: each for each in TABLE6.cells(Scale.FULL) if (each.part, each.row) == ("table6", row)}
    for dataset, expected in PRINTED[row].items():
        values = wanted[DATASETS[dataset].title].settings
        assert values["built_on"] == "card"  # no files are needed
        make_run_settings({name: value for name, value in values.items() if name != "built_on"})
        assert PARAMETERS.run(values, 0, silent)["parameters"] == expected


def test_rounding_is_that_of_the_printed_number() -> None:
    assert rounds_to(1_145_857, "1.15M")
    assert not rounds_to(1_144_999, "1.15M")
    assert rounds_to(99_499, "99k")
    assert not rounds_to(99_501, "99k")
    assert printed_count("11.04M") == pytest.approx(11_040_000)
