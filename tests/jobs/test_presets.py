"""Presets: what a file says of a protocol counts there, and nowhere else."""

from pathlib import Path

import pytest

from hlgnn.data import PROTOCOLS
from hlgnn.errors import SettingsError
from hlgnn.jobs.presets import Preset, find_preset, list_presets, settings_for
from hlgnn.settings import merged

PLANETOID = ("cora", "citeseer", "pubmed")
LEARNED = sorted({preset.model_name for preset in list_presets()} - {"frozen"})


@pytest.mark.parametrize("preset", list_presets(), ids=lambda each: f"{each.model_name}-{each.dataset}-{each.name}")
def test_a_preset_speaks_of_protocols_and_settings_that_there_are(preset: Preset) -> None:
    assert set(preset.under) <= set(PROTOCOLS)
    for protocol in preset.under:
        changed = settings_for(preset.dataset, model_name=preset.model_name, preset=preset.name, protocol=protocol)
        other = settings_for(preset.dataset, model_name=preset.model_name, preset=preset.name, protocol="paper")
        assert changed.model_dump(exclude={"protocol"}) != other.model_dump(exclude={"protocol"})


@pytest.mark.parametrize("dataset", PLANETOID)
@pytest.mark.parametrize("method", LEARNED)
def test_under_heart_every_method_is_selected_by_what_is_measured(method: str, dataset: str) -> None:
    assert settings_for(dataset, model_name=method, protocol="heart").train.select == "mrr"
    assert settings_for(dataset, model_name=method, protocol="paper").train.select != "mrr"


def test_a_change_by_the_caller_wins_over_the_protocol() -> None:
    told = settings_for("cora", protocol="heart", changes=["train.select=auc"])
    assert (told.train.select, told.train.sampler) == ("auc", "per-source")


def test_a_file_of_ones_own_may_speak_of_a_protocol(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text("[train]\nepochs = 7\nfolds = 3\n[under.ncn.train]\nepochs = 9\n", encoding="utf-8")
    found = {name: settings_for("cora", preset=str(file), protocol=name).train for name in ("paper", "ncn")}
    assert [(each.epochs, each.folds) for each in found.values()] == [(7, 3), (9, 3)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[under.hart.train]\nepochs = 9\n", "heart"),
        ("[under.ncn.train]\nepoch = 9\n", "epochs"),
        ("under = 3\n", "no sections"),
        ("[under]\nheart = 3\n", "no sections"),
    ],
)
def test_what_is_wrong_in_such_a_section_is_said(tmp_path: Path, text: str, words: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(SettingsError, match=words):
        settings_for("cora", preset=str(file), protocol="ncn")


def test_merging_changes_neither_side() -> None:
    values, changes = {"train": {"epochs": 5}, "protocol": "ncn"}, {"train": {"folds": 2}, "model": {"hidden": 3}}
    assert merged(values, changes) == {"train": {"epochs": 5, "folds": 2}, "protocol": "ncn", "model": {"hidden": 3}}
    assert values == {"train": {"epochs": 5}, "protocol": "ncn"}
    assert find_preset("cora").values["train"] == find_preset("cora").values_under("paper")["train"]
