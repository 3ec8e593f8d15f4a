"""Every heuristic by its short name, and what people may write to ask for one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hlgnn.errors import SettingsError
from hlgnn.formulation import heuristics
from hlgnn.formulation.heuristics import (
    ALPHA,
    ENDLESS,
    GAMMA,
    NUM_TERMS,
    ORDER,
    PATH_ORDER,
    PHI,
    SYMMETRIZED,
    TOLERANCE,
)
from hlgnn.formulation.local_heuristics import LOCAL_HEURISTICS
from hlgnn.formulation.shortest_path import ShortestPath
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.formulation.heuristic import Heuristic
    from hlgnn.formulation.parameters import Parameter, Value


@dataclass(frozen=True)
class Entry:
    """What is known about a heuristic before it is asked for.

    Attributes:
        name: Its short name.
        title: Its name in tables.
        formula: Its score of (i, j), as text.
        build: Makes it from its parameters and ``self_loops``.
        parameters: What it can be told.
        local: Whether common neighbours and degrees decide, and nothing farther away.
    """

    name: str
    title: str
    formula: str
    build: Callable[..., Any]
    parameters: tuple[Parameter, ...] = ()
    local: bool = False


_FORMULATIONS = (
    Entry("cn", "Common neighbours", "|Γ_i ∩ Γ_j|", heuristics.common_neighbors, local=True),
    Entry("llhn", "Leicht-Holme-Newman, local", "|Γ_i ∩ Γ_j| / (d̃_i d̃_j)", heuristics.llhn, local=True),
    Entry("ra", "Resource allocation", "Σ_{k ∈ Γ_i ∩ Γ_j} 1 / d̃_k", heuristics.resource_allocation, local=True),
    Entry(
        "ra-rows",
        "Resource allocation, second configuration",
        "(Ã Ã_rs)_ij",
        heuristics.resource_allocation_by_rows,
        local=True,
    ),
    Entry("inverse-square", "Inverse square", "Σ_{k ∈ Γ_i ∩ Γ_j} 1 / d̃_k²", heuristics.inverse_square, local=True),
    Entry(
        "normalized-ra",
        "Normalised resource allocation",
        "RA_ij / √(d̃_i d̃_j)",
        heuristics.normalized_resource_allocation,
        local=True,
    ),
    Entry("ki", "Katz index", "(Σ_{l ≥ 1} γ^l Ã^l)_ij", heuristics.katz, (GAMMA, ORDER, TOLERANCE)),
    Entry(
        "glhn", "Leicht-Holme-Newman, global", "(I + Σ_{l ≥ 1} φ^l Ã^l)_ij", heuristics.glhn, (PHI, ORDER, TOLERANCE)
    ),
    Entry(
        "rwr",
        "Random walk with restart",
        "(Σ_{l ≥ 0} (1 − α) α^l Ã_rs^l)_ij",
        heuristics.random_walk_with_restart,
        (ALPHA, ENDLESS, TOLERANCE, SYMMETRIZED),
    ),
    Entry(
        "fp",
        "Flow propagation",
        "(Σ_{l ≥ 0} (1 − α) α^l Ã_sym^l)_ij",
        heuristics.flow_propagation,
        (ALPHA, ENDLESS, TOLERANCE),
    ),
    Entry(
        "lpi",
        "Local path index",
        "(Σ_{l=2}^{L} γ^{l−2} Ã^l)_ij",
        heuristics.local_path,
        (replace(GAMMA, default=0.01), PATH_ORDER),
    ),
    Entry(
        "lrw",
        "Local random walk",
        "(d̃_i / 2M) (Σ_{l=0}^{L−1} (1 − α) α^l Ã_rs^l)_ij",
        heuristics.local_random_walk,
        (ALPHA, NUM_TERMS, SYMMETRIZED),
    ),
)


def _beside() -> tuple[Entry, ...]:
    """The heuristics that stand beside the formulation."""
    local = [(build(), build) for build in LOCAL_HEURISTICS]
    described = [Entry(one.name, one.title, one.formula, build, local=True) for one, build in local]
    nearest = Entry("shortest-path", "Shortest path", "1 / distance of i and j", ShortestPath)
    return (*described, nearest)


HEURISTICS: Registry[Entry] = Registry("heuristic", {entry.name: entry for entry in (*_FORMULATIONS, *_beside())})
"""All heuristics by short name."""

ALIASES = {
    "katz": "ki",
    "common-neighbors": "cn",
    "resource-allocation": "ra",
    "adamic-adar": "aa",
    "ppr": "rwr",
    "pagerank": "rwr",
    "random-walk-with-restart": "rwr",
    "local-path": "lpi",
    "local-random-walk": "lrw",
    "flow-propagation": "fp",
    "cosine": "salton",
    "preferential-attachment": "pa",
}
"""Other names that people know them by."""


def entry_of(name: str) -> Entry:
    """The entry with this short or other name.

    Raises:
        UnknownNameError: If there is none; it names the nearest one.
    """
    plain = name.strip().lower().replace("_", "-").replace(" ", "-")
    return HEURISTICS[ALIASES.get(plain, name)]


def parse(text: str, *, self_loops: bool = True) -> Heuristic:
    """The heuristic that ``text`` asks for: a name, and perhaps parameters after a colon.

    Its name is the text, so that a table can hold one heuristic with different parameters.

    Raises:
        UnknownNameError: If there is no heuristic of that name.
        SettingsError: If it has no such parameter, or the value is illegal.

    Example:
        >>> parse("katz:gamma=0.01,order=2").betas
        (0.0, 0.01, 0.0001)
        >>> parse("rwr:alpha=2")
        Traceback (most recent call last):
        hlgnn.errors.SettingsError: rwr.alpha: alpha is 2.0. It must be a number above 0 and below 1.
    """
    name, _, rest = text.strip().partition(":")
    entry = entry_of(name)
    known = {parameter.name: parameter for parameter in entry.parameters}
    given: dict[str, Value] = {}
    for part in filter(None, (part.strip() for part in rest.split(","))):
        key, value = _assignment(part, entry)
        if key not in known:
            raise _unknown_parameter(key, entry)
        given[key] = known[key].read(value, entry.name)
    heuristic: Heuristic = replace(entry.build(**given, self_loops=self_loops), name=text.strip())
    return heuristic


def _assignment(part: str, entry: Entry) -> tuple[str, str]:
    key, equals, value = part.partition("=")
    if not equals:
        raise SettingsError(
            f"{part!r} sets nothing.", where=entry.name, hint=f"Write it as {part}=value. {_takes(entry)}"
        )
    return key.strip().lower().replace("-", "_"), value


def _unknown_parameter(key: str, entry: Entry) -> SettingsError:
    return SettingsError(f"{entry.name} has no parameter {key!r}.", where=f"{entry.name}.{key}", hint=_takes(entry))


def _takes(entry: Entry) -> str:
    """What an entry can be told, as a sentence."""
    if not entry.parameters:
        return f"{entry.name} takes no parameters."
    return f"{entry.name} takes {'; '.join(f'{each.name}, {each.legal}' for each in entry.parameters)}."
