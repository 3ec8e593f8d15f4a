"""What the README and the documentation show works as written."""

import contextlib
import io
import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import torch
import typer
from typer.main import get_command

from hlgnn.cli.main import EVERYWHERE, app

ROOT = Path(__file__).parents[2]
README = ROOT / "README.md"
PAGES = [README, *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^```(\w+)(?: title=\"([^\"]+)\")?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SAID = re.compile(r"^print\(.*\)  # (.+)$", re.MULTILINE)


def blocks(page: Path, language: str) -> list[str]:
    return [text for kind, _, text in BLOCK.findall(page.read_text(encoding="utf-8")) if kind == language]


def shown_files(page: Path) -> dict[str, str]:
    """Blocks that show a whole file, by its name."""
    return {name: text for _, name, text in BLOCK.findall(page.read_text(encoding="utf-8")) if name}


def commands(page: Path) -> list[str]:
    """Every line that calls hlgnn, without comments; a prompt may stand before it."""
    lines = [line for kind in ("console", "bash") for block in blocks(page, kind) for line in block.splitlines()]
    return [line.removeprefix("$ ") for line in lines if re.match(r"(\$ )?hlgnn\b", line)]


def run_blocks(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run the Python blocks of a page one after the other, where the files that it shows are; what they print."""
    monkeypatch.chdir(folder)
    monkeypatch.syspath_prepend(str(folder))
    for name, text in shown_files(page).items():
        (folder / name).write_text(text, encoding="utf-8")
    names: dict[str, Any] = {"__name__": "page"}
    printed = io.StringIO()
    with torch.random.fork_rng(), contextlib.redirect_stdout(printed):
        for block in blocks(page, "python"):
            exec(compile(block, str(page), "exec"), names)
    return printed.getvalue()


def problem(line: str) -> str:
    """What is wrong with a command, which is parsed and not run; nothing if it is fine."""
    words = [word for word in shlex.split(line, comments=True)[1:] if word not in EVERYWHERE]
    command: Any = get_command(app)
    try:
        while words and hasattr(command, "commands") and not words[0].startswith("-"):
            command = command.commands[words.pop(0)]
        command.make_context(line, words)
    except typer.Exit:  # --help and --version leave at once
        return ""
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def test_the_readme_has_a_python_block_that_says_what_it_prints() -> None:
    assert SAID.findall("\n".join(blocks(README, "python")))


@pytest.mark.parametrize(
    "page", [page for page in PAGES if blocks(page, "python")], ids=lambda page: str(page.relative_to(ROOT))
)
def test_python_blocks_run_and_print_what_they_say(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    printed = run_blocks(page, tmp_path, monkeypatch).splitlines()
    said = [text for block in blocks(page, "python") for text in SAID.findall(block)]
    assert [text for text in said if text not in printed] == []


@pytest.mark.parametrize("line", sorted({line for page in PAGES for line in commands(page)}))
def test_every_command_that_is_shown_exists(line: str) -> None:
    assert problem(line) == ""


@pytest.mark.parametrize(
    "line", ["hlgnn adit cora", "hlgnn data", "hlgnn data check", "hlgnn audit cora --protocl x", "hlgnn data split x"]
)
def test_a_wrong_command_would_be_found(line: str) -> None:
    assert problem(line) != ""
