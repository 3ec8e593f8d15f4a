"""Each law is broken by a method that is wrong in just this way."""

from dataclasses import replace
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from hlgnn.errors import ContractError, UnknownNameError
from hlgnn.graph import Graph
from hlgnn.models import LinkModel, ModelCard
from hlgnn.settings import Settings
from hlgnn.testing import LAWS, check_law, check_link_model


class Good(LinkModel[Graph, Graph]):
    """w CN_ij + Σ_f u_f x_if x_jf: right in every way."""

    def __init__(self, graph: Graph, settings: Settings, generator: torch.Generator) -> None:
        super().__init__()
        self.weight = nn.Parameter(torch.tensor(0.1))
        self.diagonal = nn.Parameter(0.1 * torch.randn(graph.num_features, generator=generator))

    def prepare(self, graph: Graph) -> Any:
        return graph

    def encode(self, prepared: Graph) -> Any:
        return prepared

    def score(self, state: Any, pairs: Tensor) -> Tensor:
        table = torch.zeros(state.num_nodes, state.num_nodes)
        table[state.adjacency.source, state.adjacency.neighbor.long()] = 1.0
        common = (table[pairs[:, 0]] * table[pairs[:, 1]]).sum(dim=1)
        x = state.features
        return self.weight * common + (x[pairs[:, 0]] * x[pairs[:, 1]]) @ self.diagonal


class TwoColumns(Good):
    def score(self, state: Any, pairs: Tensor) -> Tensor:
        return super().score(state, pairs)[:, None]


class InfiniteWhereIsolated(Good):
    def score(self, state: Any, pairs: Tensor) -> Tensor:
        return super().score(state, pairs) + (1.0 / state.degree[pairs]).sum(dim=1)


class ByPosition(Good):
    def score(self, state: Any, pairs: Tensor) -> Tensor:
        return super().score(state, pairs) + 0.1 * torch.arange(len(pairs))


class ByBatch(Good):
    def score(self, state: Any, pairs: Tensor) -> Tensor:
        scores = super().score(state, pairs)
        return scores - scores.mean() if len(scores) else scores


class Noisy(Good):
    def score(self, state: Any, pairs: Tensor) -> Tensor:
        return super().score(state, pairs) + torch.rand(len(pairs))


class Directed(Good):
    def score(self, state: Any, pairs: Tensor) -> Tensor:
        return super().score(state, pairs) + state.degree[pairs[:, 0]]


class Numbered(Good):
    def score(self, state: Any, pairs: Tensor) -> Tensor:
        return super().score(state, pairs) + 0.01 * pairs.sum(dim=1)


class KeepsTheGraph(Good):
    def prepare(self, graph: Graph) -> Any:
        self.last = graph
        return graph

    def score(self, state: Any, pairs: Tensor) -> Tensor:
        return super().score(self.last, pairs)


class SeesTheLink(Good):
    def score(self, state: Any, pairs: Tensor) -> Tensor:
        return super().score(state, pairs) + state.has_links(pairs)


class Deaf(Good):
    def __init__(self, graph: Graph, settings: Settings, generator: torch.Generator) -> None:
        super().__init__(graph, settings, generator)
        self.unused = nn.Parameter(torch.zeros(3))


class LearnsTheOpposite(Good):
    def score(self, state: Any, pairs: Tensor) -> Tensor:
        scores = super().score(state, pairs)
        return 2 * scores.detach() - scores  # the gradient has the wrong sign


class ForgetsOnSaving(Good):
    def __init__(self, graph: Graph, settings: Settings, generator: torch.Generator) -> None:
        super().__init__(graph, settings, generator)
        self.calls = 0.0

    def score(self, state: Any, pairs: Tensor) -> Tensor:
        self.calls += float(self.training)
        return super().score(state, pairs) + self.calls


class LosesASetting(Settings):
    rate: float | None = 0.5  # a file has no word for None, so that one half comes back


CARD = ModelCard("wrong", "Wrong", Settings, Good, "nobody")
BROKEN = {
    "shape": [TwoColumns, InfiniteWhereIsolated],
    "order-of-pairs": [ByPosition],
    "batches": [ByBatch],
    "determinism": [Noisy],
    "symmetry": [Directed],
    "relabelling": [Numbered],
    "several-graphs": [KeepsTheGraph],
    "hidden-target": [SeesTheLink],
    "gradients": [Deaf],
    "learning": [LearnsTheOpposite],
    "saving": [ForgetsOnSaving],
}


def test_a_right_method_keeps_every_law() -> None:
    assert check_link_model(CARD) == tuple(LAWS)
    assert check_link_model(replace(CARD, hides_target=True)) == tuple(LAWS)


@pytest.mark.parametrize(("law", "model"), [(law, model) for law, models in BROKEN.items() for model in models])
def test_a_wrong_method_breaks_its_law(law: str, model: type[Good]) -> None:
    with pytest.raises(ContractError, match="wrong: "):
        check_law(law, replace(CARD, build=model, hides_target=law == "hidden-target"))


def test_settings_that_do_not_survive_a_file_are_found() -> None:
    with pytest.raises(ContractError, match="Settings change"):
        check_law("settings", replace(CARD, settings=LosesASetting), LosesASetting(rate=None))
    check_law("settings", replace(CARD, settings=LosesASetting))
    assert set(BROKEN) | {"settings"} == set(LAWS)


def test_a_card_may_say_that_a_law_does_not_apply() -> None:
    check_law("symmetry", replace(CARD, build=Directed, symmetric=False))
    check_law("relabelling", replace(CARD, build=Numbered, by_place=True))
    check_law("hidden-target", replace(CARD, build=SeesTheLink))


def test_exemptions_need_a_law_and_a_reason() -> None:
    held = check_link_model(replace(CARD, build=Deaf), exempt={"gradients": "one is for later"})
    assert "gradients" not in held
    with pytest.raises(ContractError, match="reason"):
        check_link_model(CARD, exempt={"symmetry": " "})
    with pytest.raises(UnknownNameError, match="symmetry"):
        check_link_model(CARD, exempt={"symetry": "a slip"})
