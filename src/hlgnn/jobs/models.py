"""What there is to know about methods."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.catalog import MODELS
from hlgnn.jobs.presets import list_presets

if TYPE_CHECKING:
    from hlgnn.models import ModelCard


@dataclass(frozen=True)
class ModelFacts:
    """One method.

    Attributes:
        name: What it is called on the command line.
        title: What it is called in tables.
        citation: Where it comes from.
        symmetric: Whether (i, j) and (j, i) have the same score.
        hides_target: Whether it hides a link itself while it is predicted.
        by_place: Whether it learns something for each node.
        needs_features: Whether it cannot do without node features.
        learns: Whether it is trained, by more than a choice between a few values.
        settings: What can be set, by dotted name, with the values at first.
        presets: Data set, name, protocol and published number of each preset.
    """

    name: str
    title: str
    citation: str
    symmetric: bool
    hides_target: bool
    by_place: bool
    needs_features: bool
    learns: bool
    settings: dict[str, Any]
    presets: list[dict[str, Any]]

    def document(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def describe_models() -> list[ModelFacts]:
    """All methods, in the order of the catalogue."""
    return [_facts(card) for card in MODELS.values()]


def describe_model(name: str) -> ModelFacts:
    """One method.

    Raises:
        UnknownNameError: If there is none of that name.
    """
    return _facts(MODELS[name])


def _facts(card: ModelCard) -> ModelFacts:
    presets = [
        {
            "dataset": each.dataset,
            "preset": each.name,
            "protocol": each.values.get("protocol"),
            "published": each.published,
        }
        for each in list_presets()
        if each.model_name == card.name
    ]
    return ModelFacts(
        card.name,
        card.title,
        card.citation,
        card.symmetric,
        card.hides_target,
        card.by_place,
        card.needs_features,
        card.learns,
        _dotted(card.settings().model_dump(mode="json")),
        presets,
    )


def _dotted(values: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    flat: dict[str, Any] = {}
    for name, value in values.items():
        flat |= _dotted(value, f"{prefix}{name}.") if isinstance(value, dict) else {prefix + name: value}
    return flat
