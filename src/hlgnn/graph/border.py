"""What all graphs of other libraries go through before they become ours: packages, ids, weights, directions."""

from __future__ import annotations

import importlib
import logging
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hlgnn.errors import GraphFormatError, MissingPackageError
from hlgnn.graph.adjacency import Adjacency
from hlgnn.graph.build import build_csr
from hlgnn.graph.graph import Features, Graph, integers
from hlgnn.graph.node_ids import NodeIds

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt
    from numpy.typing import ArrayLike
    from torch import Tensor

    from hlgnn.graph.build import CsrBuild

log = logging.getLogger(__name__)


def require(module: str, extra: str = "interop") -> Any:
    """A module of a package that the extra installs; what it warns of while it is imported is no concern of ours."""
    package = module.partition(".")[0]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return importlib.import_module(module)
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] != package:
            raise  # the package is there, but something that it needs is not
        raise MissingPackageError(f"{package} is not installed.", hint=f'Run: pip install "hlgnn[{extra}]"') from error


def assemble(
    edges: Tensor,
    weight: Tensor | None,
    node_ids: NodeIds,
    features: Features | None = None,
    *,
    directed: bool,
) -> Graph:
    """The undirected graph of these edges (E, 2), telling the log what is lost on the way.

    Args:
        edges: Positions of the two nodes.
        weight: Checked weights, or ``None``; if all are one, and stay so, the graph is unweighted.
        node_ids: The id of each node.
        features: The features of each node.
        directed: Whether an edge states one direction only, so that an undirected link takes two.
    """
    source, target = (integers(edges[:, end].contiguous(), "Ends of edges").numpy() for end in (0, 1))
    built = build_csr(len(node_ids), source, target, None if weight is None else weight.numpy())
    _report(built, directed=directed)
    weighted = built.weight is not None and bool((built.weight != 1).any())
    adjacency = Adjacency(
        torch.from_numpy(built.offset),
        torch.from_numpy(built.neighbor),
        torch.from_numpy(built.weight) if weighted else None,
    )
    return Graph(adjacency, node_ids, features)


def _report(built: CsrBuild, *, directed: bool) -> None:
    repeats = built.repeats if directed else built.repeats + built.both_directions
    if built.self_loops or repeats:
        log.info("%d self-loops and %d repeated edges were merged or dropped.", built.self_loops, repeats)
    one_way = len(built.neighbor) // 2 - built.both_directions
    if directed and one_way:
        log.warning("%d links were stated in one direction only; the graph is undirected.", one_way)


def check_weights(weights: ArrayLike, where: Callable[[int], str]) -> Tensor:
    """The weights in single precision, if all of them are positive there.

    Args:
        weights: Numbers of any type.  (E,)
        where: What to call the place of a weight in an error, from its position.
    """
    values = _numbers(weights, where)
    with np.errstate(over="ignore", under="ignore"):
        single = values.astype(np.float32)
    bad = np.flatnonzero(~(np.isfinite(single) & (single > 0)))
    if len(bad):
        raise GraphFormatError(
            f"A weight is a positive number, not {values[bad[0]]}.",
            where=where(int(bad[0])),
            hint="Drop links without weight, and shift or clip negative ones.",
        )
    return torch.from_numpy(single)


def _numbers(weights: ArrayLike, where: Callable[[int], str]) -> npt.NDArray[np.float64]:
    try:
        return np.asarray(weights, dtype=np.float64)
    except (TypeError, ValueError):
        listed = list(weights)  # type: ignore[arg-type]
        row = next(row for row, value in enumerate(listed) if not _is_number(value))
    raise GraphFormatError(
        f"A weight is a number, not {listed[row]!r}.", where=where(row), hint="Name another attribute, or none."
    )


def _is_number(value: Any) -> bool:
    try:
        return bool(np.asarray(value, dtype=np.float64).ndim == 0)
    except (TypeError, ValueError):
        return False


def label_ids(labels: Sequence[object]) -> NodeIds:
    """Node ids from the labels of another library: integers and text as they are, all others as text.

    Example:
        >>> [label_ids(labels)[1] for labels in ([0, 1], [7, 8], ["a", "b"], [(0, 0), (0, 1)])]
        [1, 8, 'b', '(0, 1)']
    """
    if all(isinstance(label, str) for label in labels):
        return NodeIds.from_labels([str(label) for label in labels])
    if all(_is_integer(label) for label in labels):
        return NodeIds.from_labels(np.array(labels, dtype=np.int64))
    return NodeIds.from_labels(_as_text(labels))


def _is_integer(label: object) -> bool:
    return isinstance(label, int | np.integer) and not isinstance(label, bool) and -(2**63) <= int(label) < 2**63


def _as_text(labels: Sequence[object]) -> list[str]:
    first: dict[str, object] = {}
    for label in labels:
        known = first.setdefault(str(label), label)
        if known is not label:
            raise GraphFormatError(
                f"The nodes {known!r} and {label!r} would both have the id {str(label)!r}.",
                hint="Relabel the nodes with text or integers before the conversion.",
            )
    log.info("Node labels that are neither text nor integers were turned to text.")
    return list(first)
