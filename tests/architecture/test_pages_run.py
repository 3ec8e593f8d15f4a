"""The tutorial and the how-to pages, done from top to bottom as a reader would; training is cut short."""

from __future__ import annotations

import contextlib
import io
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from hlgnn.cli.main import run

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "docs/tutorial.md", *sorted((ROOT / "docs/howto").glob("*.md"))]
BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SHORTER = (("--runs 10", "--runs 2"), ("--trials 30", "--trials 1"), ("train.epochs=20", "train.epochs=2"))
ELSEWHERE = (".venv/bin/", "make ")  # what is done in a checkout, and not by a reader


def shortened(line: str) -> list[str]:
    """The words of a command, with less to do."""
    for long, short in SHORTER:
        line = line.replace(long, short)
    words = shlex.split(line, comments=True)[1:]
    if (
        words[0] in ("train", "search")
        and "--resume" not in words
        and not any("train.epochs" in word for word in words)
    ):
        words += ["--set", "train.epochs=2"]
    return [*words, "--quiet"]


def answer(words: list[str]) -> tuple[int, str]:
    """The exit code of a command and what it complains of.

    A budget of memory is one of a process of its own: this one holds what was done before.
    """
    if "--memory" in words:
        done = subprocess.run([sys.executable, "-m", "hlgnn", *words], capture_output=True, text=True, check=False)
        return done.returncode, done.stderr
    complained = io.StringIO()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(complained):
        return run(words), complained.getvalue()


def do(line: str, expected: str) -> None:
    """Run one line of a console; it fails if, and only if, the page shows an error after it."""
    if not line.startswith("hlgnn"):
        subprocess.run(line, shell=True, check=True)
        return
    code, complained = answer(shortened(line))
    error = expected.startswith("Error:")
    assert (code != 0) == error, f"{line}: {complained}"
    if error:
        assert " ".join(expected.split())[:60] in " ".join(complained.split())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_a_page_can_be_followed_from_top_to_bottom(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    for _, name, text in found:
        if name:
            Path(name).write_text(text, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "page"}
    for place, (kind, _, text) in enumerate(found):
        following = found[place + 1] if place + 1 < len(found) else ("", "", "")
        if kind == "python" and page.stem != "add-a-dataset":
            with torch.random.fork_rng(), contextlib.redirect_stdout(io.StringIO()):
                exec(compile(text, str(page), "exec"), names)
        lines = [line.removeprefix("$ ") for line in text.splitlines() if line.startswith("$ ")]
        for line in lines if kind == "console" else []:
            last = line == lines[-1]
            if not line.startswith(ELSEWHERE):
                do(line, following[2] if last and following[0] == "text" else "")
