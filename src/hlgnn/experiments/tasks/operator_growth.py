"""A run with learned operators, and how far their products stretch: spectral radius and norm over depth.

Sect. 4.1 says that eigenvalues of the mixture of Eq. 3 lie in [0, 1]; decision 0003 says why they need not.
"""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array, diags_array, eye_array
from scipy.sparse.linalg import ArpackNoConvergence, LinearOperator, eigs

from hlgnn.experiments.tasks.data_digest import data_digest
from hlgnn.experiments.tasks.task import Task, Values
from hlgnn.formulation import load_formulation, normalize
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.train import load_for, prepare_run, train_run
from hlgnn.models import HLGNNSettings, Propagation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.formulation import Formulation
    from hlgnn.graph import Graph
    from hlgnn.progress import Progress

KEPT = ("metric", "valid", "test", "best_epoch", "epochs", "parameters", "seconds_of_this_process")
STEPS = 300
DENSE = 64
"""Up to this many nodes eigenvalues are those of the dense matrix."""


def layer_matrices(formulation: Formulation, graph: Graph) -> list[csr_array]:
    """A_1, …, A_L with self-loops.  (N, N) each"""
    loops = csr_array(graph.to_pattern().astype(float) + eye_array(graph.num_nodes))
    degree = graph.degree.numpy() + 1.0
    tilts = formulation.tilts or (0.0,) * formulation.depth
    layers = []
    for (adj, sym, row, col), tilt in zip(formulation.operators, tilts, strict=True):
        both = diags_array(degree ** -(0.5 - tilt)) @ loops @ diags_array(degree ** -(0.5 + tilt))
        rows, columns = diags_array(1 / degree) @ loops, loops @ diags_array(1 / degree)
        layers.append(csr_array(adj * loops + sym * both + row * rows + col * columns))
    return layers


def growth(layers: Sequence[csr_array]) -> dict[str, list[float]]:
    """The spectral radius and the spectral norm of A_l ⋯ A_1 for l = 1 … L."""
    chains = [layers[: level + 1] for level in range(len(layers))]
    return {
        "radius": [_largest(list(chain)) for chain in chains],
        "norm": [_largest([*chain, *(csr_array(each.T) for each in reversed(chain))]) ** 0.5 for chain in chains],
    }


def _largest(factors: list[csr_array]) -> float:
    """The largest magnitude of an eigenvalue of the product that applies the first factor first."""
    size = factors[0].shape[0]

    def times(x: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
        for factor in factors:
            x = factor @ x
        return x

    if size <= DENSE:
        return float(np.abs(np.linalg.eigvals(times(np.eye(size)))).max())
    start = np.ones(size) + times(np.ones(size))  # positive, like the eigenvector that is looked for
    product = LinearOperator((size, size), matvec=times, dtype=np.float64)
    try:
        found = eigs(product, k=1, which="LM", v0=start, maxiter=STEPS, return_eigenvectors=False)
    except ArpackNoConvergence:
        return _iterated(times, start)
    return float(np.abs(found[0]))


def _iterated(times: Any, x: np.ndarray[Any, np.dtype[np.float64]]) -> float:
    """By power iteration, which needs no gap between eigenvalues to find how large they are."""
    ratio = 0.0
    for _ in range(STEPS):
        y = times(x)
        ratio = float(np.linalg.norm(y) / np.linalg.norm(x))
        x = y / np.linalg.norm(y)
    return ratio


def _run(values: Values, seed: int, progress: Progress) -> dict[str, Any]:
    settings = make_run_settings({**values, "seed": seed})
    dataset = load_for(settings)
    work = prepare_run(settings, dataset=dataset)
    propagation: Any = work.model.propagation
    assert isinstance(propagation, Propagation)  # noqa: S101 - cells ask for nothing else
    messages = propagation.messages(normalize(work.split.graph.adjacency))
    start = growth(layer_matrices(propagation.formulation(messages), work.split.graph))
    with tempfile.TemporaryDirectory() as place:
        run = train_run(settings, Path(place) / "run", dataset=dataset, progress=progress)
        found, learned = run.result(), load_formulation(run.path / "formulation.toml")
    after = growth(layer_matrices(learned, work.split.graph))
    return {key: found[key] for key in KEPT} | {"beta": list(learned.betas), "start": start, "learned": after}


def _label(values: Values) -> str:
    chosen = HLGNNSettings.model_validate(values["model"]).propagation.operators
    return "-".join(("operators", Path(values["dataset"]).stem, chosen))


OPERATOR_GROWTH = Task(
    "operator-growth",
    revision=2,
    run=_run,
    label=_label,
    data=lambda values: data_digest(values["dataset"]),
)
