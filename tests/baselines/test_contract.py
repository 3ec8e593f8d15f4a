"""Every card does what every link predictor has to do."""

from typing import Any

import pytest

from hlgnn.catalog import MODELS
from hlgnn.settings import parse_settings
from hlgnn.testing import LAWS, check_law

# What is not named here is as the card has it.
INSTEAD: dict[tuple[str, str], dict[str, Any]] = {
    ("buddy", "relabelling"): {"counting": "exact"},  # sketches are drawn from the numbers of nodes
}


@pytest.mark.parametrize("law", list(LAWS))
@pytest.mark.parametrize("name", list(MODELS))
def test_a_law_holds_for_every_method(name: str, law: str) -> None:
    card = MODELS[name]
    check_law(law, card, parse_settings(card.settings, INSTEAD.get((name, law), {})))
