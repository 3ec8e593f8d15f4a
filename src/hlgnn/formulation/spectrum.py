"""The largest eigenvalue of Ã: where the Katz index stops to converge."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigsh

from hlgnn.formulation.block_kernels import multiply
from hlgnn.formulation.chain import chain_of
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.operators import ADJ
from hlgnn.graph.threads import num_threads, run_all, spans

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.formulation.chain import Floats, Nodes
    from hlgnn.graph import Adjacency, Graph

SMALL = 64
"""Up to this many nodes the eigenvalues of the dense matrix are exact and cost nothing."""

_ITERATIONS = 60
_ROUNDING = 1e-10
_known: WeakKeyDictionary[Adjacency, Spectrum] = WeakKeyDictionary()


class Spectrum(NamedTuple):
    """λ_max of Ã.

    Attributes:
        largest: What the eigenvalue is, to about ten digits.
        bound: What it is at most, for certain.
    """

    largest: float
    bound: float


def spectrum(graph: Graph, *, self_loops: bool = True) -> Spectrum:
    """The largest eigenvalue of Ã, by Lanczos' method, and a bound that needs no trust in its convergence.

    The bound is that of Collatz and Wielandt: λ_max ≤ max_i (Ax)_i / x_i for any positive x; the vectors tried are
    those of a power iteration, so it is never above the largest degree. Adding self-loops adds one to every eigenvalue.

    Example:
        >>> from hlgnn.graph import complete
        >>> spectrum(complete(5), self_loops=False).largest
        4.0
    """
    if graph.adjacency not in _known:
        _known[graph.adjacency] = _without_loops(graph)
    found = _known[graph.adjacency]
    return Spectrum(found.largest + 1, found.bound + 1) if self_loops else found


def _without_loops(graph: Graph) -> Spectrum:
    if graph.num_links == 0:
        return Spectrum(0.0, 0.0)
    times = _product(graph)
    bound = _collatz_wielandt(graph, times)
    largest = min(_lanczos(graph.num_nodes, times, bound), bound)
    return Spectrum(float(f"{largest:.12g}"), bound)


def _product(graph: Graph) -> Callable[[Floats], Floats]:
    """The function x -> Ax, with the rows shared among the threads."""
    chain = chain_of(Formulation("adjacency", (ADJ,), (0.0, 1.0), self_loops=False), graph)
    live, grown = np.ones(graph.num_nodes, dtype=np.bool_), np.empty(graph.num_nodes, dtype=np.bool_)

    def times(x: Floats) -> Floats:
        y = np.empty((graph.num_nodes, 1))
        column = np.ascontiguousarray(x, dtype=np.float64).reshape(-1, 1)
        parts = spans(graph.num_nodes, num_threads() if graph.num_links > SMALL**3 else 1)
        run_all(
            lambda start, stop: multiply(chain.weights, chain.operators[0], start, stop, column, live, y, grown), parts
        )
        return y.ravel()

    return times


def _lanczos(num_nodes: int, times: Callable[[Floats], Floats], bound: float) -> float:
    if num_nodes <= SMALL:
        dense = np.stack([times(unit) for unit in np.eye(num_nodes)])
        return float(np.linalg.eigvalsh(dense)[-1])
    matrix = LinearOperator((num_nodes, num_nodes), matvec=times, dtype=np.float64)
    start = 1.0 + times(np.ones(num_nodes))  # positive, like the eigenvector that is looked for
    try:
        return float(eigsh(matrix, k=1, which="LA", v0=start, tol=_ROUNDING, return_eigenvectors=False)[0])
    except ArpackNoConvergence:
        return bound


def _collatz_wielandt(graph: Graph, times: Callable[[Floats], Floats]) -> float:
    """The least of max_i (Ax)_i / x_i over the iterates x ← (A + I) x, each component scaled by itself."""
    component = graph.components().numpy()  # (N,)
    x = np.ones(graph.num_nodes)
    least = np.inf
    for _ in range(_ITERATIONS):
        product = times(x)
        ratio = product / x
        least = min(least, float(ratio.max()))
        if ratio.max() - _per_component(np.minimum, ratio, component).max() <= _ROUNDING * ratio.max():
            break
        x += product
        x /= _per_component(np.maximum, x, component)[component]
        np.maximum(x, np.finfo(float).tiny * 1e20, out=x)
    return least * (1 + _ROUNDING)


def _per_component(choose: np.ufunc, values: Floats, component: Nodes) -> Floats:
    """The least or the largest value in each component.  (N,) -> (C,)"""
    result = np.full(int(component.max()) + 1, -np.inf if choose is np.maximum else np.inf)
    choose.at(result, component, values)
    return result
