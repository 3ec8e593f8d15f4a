"""What users may rely on: the public names, and an import that is quick."""

import subprocess
import sys
from pathlib import Path

import pytest

import hlgnn

NAMES = (Path(__file__).parent / "public_names.txt").read_text(encoding="utf-8").split()


def test_the_public_names_are_those_of_the_list() -> None:
    """A name that appears or disappears is seen in the difference of public_names.txt."""
    assert sorted(hlgnn.__all__) == NAMES
    assert sorted(dir(hlgnn)) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_every_name_resolves(name: str) -> None:
    assert getattr(hlgnn, name) is not None


def test_another_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'Graf'"):
        _ = hlgnn.Graf


@pytest.mark.parametrize("module", ["hlgnn", "hlgnn.cli.main"])
def test_importing_is_quick(module: str) -> None:
    """In a process of its own, since the tests themselves import everything."""
    program = f"import sys, {module}; print(*sorted({{'torch', 'numba', 'pyarrow'}} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.split()) == (0, []), done.stdout + done.stderr
