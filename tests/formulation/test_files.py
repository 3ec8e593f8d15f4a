from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

from formulation_strategies import formulations
from hlgnn.errors import MissingFileError, OutputError, SettingsError
from hlgnn.formulation.files import load_formulation, save_formulation
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.operators import ROW, SYM, Operator

FINITE = st.floats(allow_nan=False, allow_infinity=False)


@given(formulation=formulations(), name=st.text(), data=st.data())
def test_the_round_trip_is_the_identity(formulation: Formulation, name: str, data: st.DataObject) -> None:
    size = len(formulation.betas)
    betas = tuple(data.draw(st.lists(FINITE, min_size=size, max_size=size)))
    original = replace(formulation, name=name, betas=betas)
    if original.depth and data.draw(st.booleans()):
        drawn = Operator(*data.draw(st.tuples(FINITE, FINITE, FINITE, FINITE)))
        original = replace(original, operators=(drawn, *original.operators[1:]))
    with TemporaryDirectory() as folder:
        path = Path(folder) / "own.toml"
        save_formulation(original, path)
        assert load_formulation(path) == original


def test_any_name_survives(tmp_path: Path) -> None:
    original = Formulation('"\\ \n\t\x00\x7f é 😀 #', (SYM,), (0.0, 1.0))
    save_formulation(original, tmp_path / "own.toml")
    assert load_formulation(tmp_path / "own.toml") == original


def test_what_people_write(tmp_path: Path) -> None:
    path = tmp_path / "walks.toml"
    path.write_text('betas = [1, 0.5, 0.25]\noperators = ["row", {adj = 0.1, row = 0.9}]\norder = "recurrence"\n')
    expected = Formulation("walks", (ROW, Operator(adj=0.1, row=0.9)), (1.0, 0.5, 0.25), order="recurrence")
    assert load_formulation(path) == expected
    path.write_text(
        'name = "all alike"\nbetas = [0.0, 0.5, 0.25]\nrepeat = "sym"\nself_loops = false\ndegree_scale = true'
    )
    expected = Formulation("all alike", (SYM, SYM), (0.0, 0.5, 0.25), self_loops=False, degree_scale=True)
    assert load_formulation(path) == expected


@pytest.mark.parametrize(
    ("text", "where", "message"),
    [
        ("betas = [1.0", "", "It is not TOML"),
        ("betas = [1.0]\nbetas = [1.0]", "", "It is not TOML"),
        ('repeat = "sym"', ", betas", "A list of weights"),
        ('repeat = "sym"\nbetas = []', ", betas", "A list of weights"),
        ('repeat = "sym"\nbetas = 0.5', ", betas", "A list of weights"),
        ('repeat = "sym"\nbetas = [0.5, "x"]', ", betas[1]", "'x' is no finite number"),
        ('repeat = "sym"\nbetas = [true]', ", betas[0]", "True is no finite number"),
        ('repeat = "sym"\nbetas = [nan]', ", betas[0]", "nan is no finite number"),
        ("betas = [0.5, 0.5]", ", operators", "Either operators or repeat"),
        ('betas = [0.5, 0.5]\nrepeat = "sym"\noperators = ["sym"]', ", operators", "not both"),
        ('betas = [0.5, 0.5]\nrepeat = "sim"', ", repeat", "no operator called 'sim'. Did you mean 'sym'?"),
        ("betas = [0.5, 0.5]\nrepeat = 3", ", repeat", "3 is no operator"),
        ("betas = [0.5, 0.5]\nrepeat = {raw = 1}", ", repeat.raw", "Did you mean 'row'?"),
        ('betas = [0.5, 0.5]\nrepeat = {row = "1"}', ", repeat.row", "'1' is no finite number"),
        ('betas = [0.5, 0.5]\noperators = "sym"', ", operators", "A list of operators"),
        ('betas = [0.5]\noperators = ["sym"]', ", operators", "There are 1 betas and 1 operators"),
        ('betas = [0, 0, 1]\noperators = ["sym", "cow"]', ", operators[1]", "no operator called 'cow'"),
        ('betas = [0, 1]\nrepeat = "sym"\nself_loop = true', ", self_loop", "Did you mean 'self_loops'?"),
        ('betas = [0, 1]\nrepeat = "sym"\nself_loops = 1', ", self_loops", "1 is neither true nor false"),
        ('betas = [0, 1]\nrepeat = "sym"\ndegree_scale = "no"', ", degree_scale", "'no' is neither true nor false"),
        ('betas = [0, 1]\nrepeat = "sym"\norder = "readin"', ", order", "Did you mean 'reading'?"),
        ('betas = [0, 1]\nrepeat = "sym"\norder = 1', ", order", "1 is no text"),
        ('betas = [0, 1]\nrepeat = "sym"\nname = 1', ", name", "1 is no text"),
    ],
)
def test_a_mistake_is_named_with_its_file_and_key(tmp_path: Path, text: str, where: str, message: str) -> None:
    path = tmp_path / "own.toml"
    path.write_text(text)
    with pytest.raises(SettingsError) as caught:
        load_formulation(path)
    assert caught.value.where == f"{path}{where}"
    assert message in str(caught.value)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"own\.toml: There is no such file"):
        load_formulation(tmp_path / "own.toml")
    with pytest.raises(SettingsError, match="could not be read"):
        load_formulation(tmp_path)
    (tmp_path / "latin.toml").write_bytes(b'name = "\xe9"')
    with pytest.raises(SettingsError, match="It is not TOML"):
        load_formulation(tmp_path / "latin.toml")


def test_what_cannot_be_read_back_is_not_written(tmp_path: Path) -> None:
    path = tmp_path / "own.toml"
    with pytest.raises(SettingsError, match="formulation 'h': A weight is infinite"):
        save_formulation(Formulation("h", (SYM,), (0.0, float("inf"))), path)
    with pytest.raises(SettingsError, match="no number"):
        save_formulation(Formulation("h", (Operator(adj=float("nan")),), (0.0, 1.0)), path)
    assert not path.exists()
    with pytest.raises(OutputError):
        save_formulation(Formulation("h", (SYM,), (0.0, 1.0)), tmp_path / "nowhere" / "own.toml")
