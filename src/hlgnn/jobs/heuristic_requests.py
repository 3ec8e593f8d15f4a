"""From what a person types to heuristics."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from hlgnn.errors import SettingsError
from hlgnn.formulation import load_formulation, parse

if TYPE_CHECKING:
    from hlgnn.formulation import Heuristic


def parse_heuristic(request: str, *, self_loops: bool) -> Heuristic:
    """A name with its parameters, or the path of a formulation in TOML, which says itself about self-loops."""
    return load_formulation(Path(request)) if request.endswith(".toml") else parse(request, self_loops=self_loops)


def parse_heuristics(text: str, *, self_loops: bool) -> dict[str, Heuristic]:
    """``cn,ra,katz:gamma=0.01,order=5,mine.toml`` as heuristics by the text that asked for each.

    Example:
        >>> list(parse_heuristics("cn, katz:gamma=0.01,order=5", self_loops=True))
        ['cn', 'katz:gamma=0.01,order=5']
    """
    requests: list[str] = []
    for word in text.split(","):
        if "=" in word and ":" not in word and requests:
            requests[-1] += f",{word.strip()}"
        elif word.strip():
            requests.append(word.strip())
    if not requests:
        raise SettingsError("No heuristic was named.", where="--heuristic", hint="See 'hlgnn heuristics'.")
    return {request: parse_heuristic(request, self_loops=self_loops) for request in requests}
