"""The learned heuristic is exactly what the model propagates by (Proposition 4.1)."""

import pytest
import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation import normalize
from hlgnn.graph import karate_club
from hlgnn.interpret import learned_heuristic
from hlgnn.models import HLGNN, HLGNNSettings, InputSettings, PropagationSettings

INPUT = InputSettings(source="embedding", embedding_width=8, hidden=0)


def model_with(**choices: object) -> HLGNN:
    settings = HLGNNSettings(input=INPUT, propagation=PropagationSettings(depth=5, **choices))
    model = HLGNN(karate_club(), settings, torch.Generator().manual_seed(3))
    alpha = model.propagation.alpha
    if alpha is not None:
        with torch.no_grad():
            alpha.normal_(generator=torch.Generator().manual_seed(4))
    return model


@pytest.mark.parametrize("order", ["recurrence", "reading"])
@pytest.mark.parametrize("operators", ["sym", "row", "col", "mixture", "literal-mixture", "geometric"])
def test_it_is_the_propagation_of_the_model(operators: str, order: str) -> None:
    model, graph = model_with(operators=operators, order=order, beta_init="random", beta_parameter=1.0), karate_club()
    x = torch.randn(34, 3, generator=torch.Generator().manual_seed(5))
    messages = model.propagation.messages(normalize(graph.adjacency, dtype=torch.float32))
    with torch.no_grad():
        expected = model.propagation(messages, x)
    torch.testing.assert_close(learned_heuristic(model, graph).apply(graph, x), expected, rtol=1e-4, atol=1e-4)


def test_orders_that_do_not_count_have_no_weight() -> None:
    assert learned_heuristic(model_with(layers="last", beta_init="uniform"), karate_club()).betas[:5] == (0.0,) * 5


def test_a_model_with_activations_has_none() -> None:
    with pytest.raises(SettingsError, match="activation"):
        learned_heuristic(model_with(activation="relu"), karate_club())
