"""What is as at first is no part of a key, so that what it is at first may not change unseen."""

from pathlib import Path
from typing import Any

import pytest

from hlgnn.catalog import MODELS
from hlgnn.settings import Settings
from hlgnn.training.train_settings import TrainSettings

STORED = Path(__file__).with_name("default_settings.txt")


def lines(name: str, value: Any) -> list[str]:
    """Every setting below a name with its value."""
    if isinstance(value, dict):
        return [line for key, part in value.items() for line in lines(f"{name}.{key}", part)]
    return [f"{name} = {value!r}"]


def defaults() -> list[str]:
    """The settings of training and of every method that there is."""
    kinds: dict[str, type[Settings]] = {"train": TrainSettings}
    kinds |= {name: card.settings for name, card in MODELS.items()}
    return [line for name, kind in kinds.items() for line in lines(name, kind().model_dump(mode="json"))]


def test_settings_are_at_first_what_stored_results_were_made_with() -> None:
    stored, now = STORED.read_text(encoding="utf-8").splitlines(), defaults()
    changed = sorted(set(stored) - set(now))
    if changed:
        pytest.fail(
            "These were different when results were stored, and their keys do not show it. Raise the revision of the "
            f"tasks that train, and write the new values to {STORED.name}: {', '.join(changed)}"
        )
    new = sorted(set(now) - set(stored))
    assert not new, f"Add these settings to {STORED.name}: {', '.join(new)}"
