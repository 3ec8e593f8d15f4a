"""Settings: what is refused and how that is said, and the way to TOML and back."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from hlgnn.errors import MissingFileError, SettingsError
from hlgnn.formulation.beta_init import BETA_INITS
from hlgnn.models import HLGNNSettings, PropagationSettings
from hlgnn.settings import Settings, override, parse_settings, read_toml, toml_value, write_toml
from hlgnn.training.objectives import OBJECTIVES
from hlgnn.training.samplers import SAMPLERS
from hlgnn.training.train_settings import ALL_PAIRS, TrainSettings

POSITIVE = st.floats(1e-12, 1e12)
INPUTS = st.fixed_dictionaries(
    {},
    optional={
        "source": st.sampled_from(["features", "embedding", "both"]),
        "tf_idf": st.booleans(),
        "svd": st.integers(0, 65_536),
        "embedding_width": st.integers(1, 65_536),
        "dropout": st.floats(0, 1, exclude_max=True),
    },
)
PROPAGATIONS = st.fixed_dictionaries(
    {},
    optional={
        "depth": st.integers(0, 1000),
        "operators": st.sampled_from(["sym", "mixture", "literal-mixture", "geometric", "row", "col"]),
        "layers": st.sampled_from(["all", "last", "first-0", "first-12"]),
        "beta_init": st.sampled_from(list(BETA_INITS)),
        "beta_parameter": st.floats(allow_nan=False, allow_infinity=False),
        "learn_beta": st.booleans(),
    },
)
HEADS = st.fixed_dictionaries(
    {}, optional={"kind": st.sampled_from(["mlp", "residual", "dot", "cosine", "diagonal"]), "cosine_scale": POSITIVE}
)
MODELS = st.fixed_dictionaries(
    {}, optional={"input": INPUTS, "propagation": PROPAGATIONS, "head": HEADS, "memory": st.integers(1, 1 << 60)}
)
TRAININGS = st.fixed_dictionaries(
    {},
    optional={
        "objective": st.sampled_from([*OBJECTIVES, ALL_PAIRS]),
        "epochs": st.integers(0, 10**6),
        "learning_rate": POSITIVE,
        "beta_rate": st.none() | POSITIVE,
        "sampler": st.sampled_from(list(SAMPLERS)),
        "hide": st.sampled_from(["none", "folds", "fraction"]),
        "hide_share": st.floats(0, 1, exclude_min=True, exclude_max=True),
        "select": st.sampled_from(["protocol", "auc", "mrr", "hits@7", "Hits@50"]),
        "select_at_rate": st.booleans(),
    },
)


class Inner(Settings):
    width: int = 1
    rate: float = 0.5


class Outer(Settings):
    name: str = "x"
    inner: Inner = Inner()


@settings(max_examples=50)
@given(model=MODELS, training=TRAININGS)
def test_the_round_trip_through_toml_is_the_identity(model: dict[str, Any], training: dict[str, Any]) -> None:
    for kind, values in ((HLGNNSettings, model), (TrainSettings, training)):
        original = parse_settings(kind, values)
        assert parse_settings(kind, tomllib.loads(write_toml(original))) == original


def test_settings_that_do_not_go_together_are_refused_without_a_list_of_all_others() -> None:
    with pytest.raises(SettingsError) as caught:
        parse_settings(TrainSettings, {"folds": 5, "used_folds": 6}, where="--set train")
    assert str(caught.value).replace("\n", " ") == (
        "--set train: These settings do not go together. "
        "used_folds is 6, and there are 5 folds: lower it, or set it to 0."
    )


@pytest.mark.parametrize(
    ("kind", "values", "where", "message"),
    [
        (TrainSettings, {"epoch": 5}, "epoch", "There is no such setting. Did you mean 'epochs'?"),
        (HLGNNSettings, {"propagation": {"dept": 5}}, "propagation.dept", "Did you mean 'depth'?"),
        (HLGNNSettings, {"heads": {}}, "heads", "Did you mean 'head'?"),
        (HLGNNSettings, {"xyz": {}}, "xyz", "All: input, propagation, head, path, precision, memory."),
        (
            TrainSettings,
            {"epochs": -1},
            "epochs",
            "-1 is not allowed here. Input should be greater than or equal to 0.",
        ),
        (TrainSettings, {"epochs": "many"}, "epochs", "'many' is not allowed here."),
        (TrainSettings, {"objective": "bcee"}, "objective", "There is no objective called 'bcee'. Did you mean 'bce'?"),
        (TrainSettings, {"sampler": "unifrom"}, "sampler", "Did you mean 'uniform'?"),
        (TrainSettings, {"select": "hist@50"}, "select", "Did you mean 'hits@50'?"),
        (TrainSettings, {"select": "hits@0"}, "select", "K of at least one"),
        (TrainSettings, {"learning_rate": float("nan")}, "learning_rate", "nan is not allowed here."),
        (
            TrainSettings,
            {"hide": "fold"},
            "hide",
            "Did you mean 'folds'? Input should be 'none', 'folds', 'fraction' or 'batch'.",
        ),
        (HLGNNSettings, {"head": {"kind": "mpl"}}, "head.kind", "Did you mean 'mlp'?"),
        (HLGNNSettings, {"propagation": {"beta_init": "rwrr"}}, "propagation.beta_init", "Did you mean 'rwr'?"),
        (HLGNNSettings, {"propagation": {"layers": "first"}}, "propagation.layers", "such as 'first-3'"),
        (HLGNNSettings, {"propagation": {"beta_parameter": float("inf")}}, "propagation.beta_parameter", "inf is not"),
        (HLGNNSettings, {"input": {"dropout": 1.0}}, "input.dropout", "1.0 is not allowed here."),
        (HLGNNSettings, {"input": 3}, "input", "3 is not allowed here."),
    ],
)
def test_a_mistake_is_named_with_its_field(
    kind: type[Settings], values: dict[str, Any], where: str, message: str
) -> None:
    with pytest.raises(SettingsError) as caught:
        parse_settings(kind, values)
    assert caught.value.where == where
    assert message in str(caught.value)
    assert ".." not in str(caught.value)
    with pytest.raises(SettingsError, match=r"^own\.toml "):
        parse_settings(kind, values, where="own.toml")


def test_nothing_changes_afterwards() -> None:
    with pytest.raises(ValidationError):
        Inner().width = 3  # type: ignore[misc]
    assert hash(Inner()) == hash(Inner())


@settings(max_examples=20)
@given(width=st.integers(-99, 99), rate=st.floats(allow_nan=False, allow_infinity=False))
def test_an_override_changes_what_it_names_and_nothing_else(width: int, rate: float) -> None:
    changed = override(Outer(name="kept"), [f"inner.width={width}", f"inner.rate = {rate!r}"])
    assert changed == Outer(name="kept", inner=Inner(width=width, rate=rate))
    assert override(changed, []) == changed


def test_the_last_override_holds() -> None:
    assert override(Outer(), ["name=first", "name=last"]).name == "last"


def test_text_needs_no_quotes() -> None:
    assert override(PropagationSettings(), ["layers=first-3", 'operators="row"']).layers == "first-3"
    assert override(TrainSettings(), ["select=hits@50"]).select == "hits@50"
    assert [toml_value(text) for text in ("3", "0.5", "true", '"3"', "a b", "")] == [3, 0.5, True, "3", "a b", ""]


@pytest.mark.parametrize(
    ("assignment", "message"),
    [
        ("inner.widht=3", "--set inner.widht: There is no such setting. Did you mean 'width'?"),
        ("iner.width=3", "--set iner.width: There is no such group of settings. Did you mean 'inner'?"),
        ("name.width=3", "--set name.width: There is no such group of settings."),
        ("inner.width=x", "--set inner.width: 'x' is not allowed here."),
        ("inner.width", "--set: 'inner.width' sets nothing. Write it as name=value."),
    ],
)
def test_overrides_that_are_refused(assignment: str, message: str) -> None:
    with pytest.raises(SettingsError) as caught:
        override(Outer(), [assignment])
    assert str(caught.value).startswith(message)


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "own.toml"
    with pytest.raises(MissingFileError, match=r"own\.toml: There is no such file"):
        read_toml(file)
    file.write_text(write_toml(Outer(name="é")), encoding="utf-8")
    assert parse_settings(Outer, read_toml(file)) == Outer(name="é")
    file.write_text("a = [\nb = 1")
    with pytest.raises(SettingsError, match=r"own\.toml: It is no TOML: .*line 2"):
        read_toml(file)
    file.write_bytes(b'a = "\xe9"')
    with pytest.raises(SettingsError, match="It is no TOML"):
        read_toml(file)
