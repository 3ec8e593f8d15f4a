"""Matching two copies of a graph by words and links."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

SCRIPT = Path(__file__).parents[2] / "scripts/embed_cora.py"


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("embed_cora", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["embed_cora"] = module  # where dataclasses look for their module
    spec.loader.exec_module(module)
    return module


def shuffled(papers: Any, order: np.ndarray[Any, Any]) -> Any:
    """The same papers, node k of the new ones being node order[k] of the old ones."""
    new = {int(old): k for k, old in enumerate(order)}
    return type(papers)(
        [papers.words[k] for k in order],
        [papers.classes[k] for k in order],
        [{new[j] for j in papers.neighbors[k]} for k in order],
    )


@pytest.mark.parametrize("seed", range(20))
def test_a_shuffled_copy_is_matched(script: ModuleType, seed: int) -> None:
    """With few words, so that many nodes look alike at first; nodes 0, 1, 2 are twins."""
    generator = np.random.default_rng(seed)
    neighbors: list[set[int]] = [set() for _ in range(30)]
    edges = [(i, 3) for i in range(3)] + [tuple(sorted(pair)) for pair in generator.integers(3, 30, (25, 2)).tolist()]
    for i, j in edges:
        if i != j:
            neighbors[i].add(j)
            neighbors[j].add(i)
    words = [(0,)] * 3 + [(int(word),) for word in generator.integers(0, 2, 27)]
    papers = script.Papers(words, [word for (word,) in words], neighbors)
    copy = shuffled(papers, generator.permutation(30))
    script.check_match(papers, copy, script.match_papers(papers, copy))


def test_other_graphs_are_refused(script: ModuleType) -> None:
    path = script.Papers([(0,)] * 3, [0] * 3, [{1}, {0, 2}, {1}])
    triangle = script.Papers([(0,)] * 3, [0] * 3, [{1, 2}, {0, 2}, {0, 1}])
    with pytest.raises(SystemExit, match="not the same graph"):
        script.match_papers(path, triangle)
    with pytest.raises(SystemExit, match="other links"):
        script.check_match(path, triangle, np.arange(3))
    with pytest.raises(SystemExit, match="one to one"):
        script.check_match(path, path, np.array([0, 1, 1]))
