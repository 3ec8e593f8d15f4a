"""What all tests share."""

import os
from pathlib import Path

import pytest
from hypothesis import settings

# In CI the same examples every time, so that a change is judged by what it changes; elsewhere fresh ones.
settings.register_profile("hlgnn", deadline=None, print_blob=True)
settings.register_profile("ci", deadline=None, print_blob=True, derandomize=True)
settings.load_profile("ci" if os.environ.get("CI") == "true" else "hlgnn")


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder with the official data files; without it a test is skipped, except in CI, where that is a failure."""
    folder = os.environ.get("HLGNN_DATA")
    if folder and Path(folder).is_dir():
        return Path(folder)
    if os.environ.get("CI") == "true":
        pytest.fail("HLGNN_DATA names no folder: in CI the data tests must run.")
    pytest.skip("set HLGNN_DATA to the folder with the official data files")
