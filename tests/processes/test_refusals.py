"""What processes cannot share is refused with a sentence, before anything is computed."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from hlgnn.catalog import MODELS
from hlgnn.errors import SettingsError
from hlgnn.models import HLGNN, HLGNNSettings
from hlgnn.processes import Group, Processes
from hlgnn.training.gradients import Gradients
from toy_models import communities

TWO = Group(0, 2)


@pytest.mark.parametrize(
    ("chosen", "said"),
    [
        ({"propagation": {"transformation": True}}, "mixes columns"),
        ({"input": {"hidden": 1}}, "2 processes cannot share 1 columns"),
    ],
)
def test_columns_that_cannot_be_shared(chosen: dict[str, Any], said: str) -> None:
    with pytest.raises(SettingsError, match=said):
        HLGNN(communities(), HLGNNSettings.model_validate(chosen), torch.Generator(), TWO)


def test_other_methods_share_pairs_only() -> None:
    card = MODELS["gcn"]
    with pytest.raises(SettingsError, match="Use --shard pairs"):
        card.build_for(communities(), card.settings(), torch.Generator(), TWO)


@pytest.mark.parametrize("name", ["buddy", "nbfnet"])
def test_methods_that_look_at_a_whole_batch(name: str) -> None:
    card = MODELS[name]
    model = card.build(communities(), card.settings(), torch.Generator())
    with pytest.raises(SettingsError, match="of a whole batch, which no process sees all of"):
        Gradients(model, Processes(TWO, TWO))
