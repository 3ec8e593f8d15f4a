"""Settings for graphs of one's own."""

from typing import Any

import pytest
import torch
from scipy.sparse import csr_array

from hlgnn.graph import Graph, karate_club
from hlgnn.jobs.presets import find_preset
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.study import scale
from hlgnn.jobs.study.scale import are_measurements, are_words, scaled
from hlgnn.models import HLGNN


def described(values: torch.Tensor | csr_array) -> Graph:
    club = karate_club()
    return Graph(club.adjacency, club.node_ids, values)


def chosen(graph: Graph) -> dict[str, Any]:
    settings = make_run_settings({**find_preset("own").values, "dataset": "club.csv", "protocol": "paper"})
    document: dict[str, Any] = scaled(settings, graph).model_dump()
    return document


def test_words_are_told_from_measurements() -> None:
    generator = torch.Generator().manual_seed(0)
    words = (torch.rand(34, 50, generator=generator) < 0.1).float()
    assert are_words(described(words))
    assert are_words(described(csr_array(words.numpy())))
    assert not are_words(described(torch.rand(34, 5, generator=generator)))
    assert not are_words(described(torch.randn(34, 5, generator=generator) * words[:, :5]))
    assert not are_words(karate_club())


def test_measurements_get_the_same_spread_and_vectors_do_not() -> None:
    generator = torch.Generator().manual_seed(0)
    measured = torch.randn(34, 3, generator=generator) * torch.tensor([12.0, 2e4, 0.4]) + torch.tensor([45.0, 5e4, 2.0])
    vectors = torch.nn.functional.normalize(torch.randn(34, 16, generator=generator))
    words = (torch.rand(34, 50, generator=generator) < 0.1).float()
    for values, told in ((measured, True), (vectors, False), (words, False), (csr_array(words.numpy()), False)):
        graph = described(values)
        assert are_measurements(graph) == told
        assert chosen(graph)["model"]["input"]["standardize"] == told
    assert not are_measurements(karate_club())


@pytest.mark.parametrize(("width", "head"), [(7, "residual"), (33, "cosine")])
def test_a_few_measurements_need_more_than_a_cosine(width: int, head: str) -> None:
    assert chosen(described(40 * torch.rand(34, width)))["model"]["head"]["kind"] == head


def test_every_choice_builds_a_model(monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [karate_club(), described(torch.rand(34, 7)), described(torch.rand(34, 300))]
    for limit in (50_000, 0):
        monkeypatch.setattr(scale, "MANY_LINKS", limit)
        monkeypatch.setattr(scale, "VERY_MANY_LINKS", limit)
        for graph in graphs:
            document = chosen(graph)
            settings = make_run_settings(document)
            model = HLGNN(graph, settings.model, torch.Generator().manual_seed(0))
            scores = model.score(model.encode(model.prepare(graph)), torch.tensor([[0, 1], [2, 33]]))
            assert scores.isfinite().all()


def test_with_features_some_ten_numbers_are_learned() -> None:
    graph = described(torch.rand(34, 7))
    settings = make_run_settings(chosen(graph))
    model = HLGNN(graph, settings.model, torch.Generator().manual_seed(0))
    assert sum(each.numel() for each in model.parameters()) == 11 + 2
    assert model.product_form(model.encode(model.prepare(graph))) is not None
