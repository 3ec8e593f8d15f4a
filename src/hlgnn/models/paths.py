"""Exact ways to Z = H X, and which of them is cheapest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import torch
from torch import Tensor

from hlgnn.errors import SettingsError
from hlgnn.formulation.kernels import choose
from hlgnn.models.dense_product import matrix_product

if TYPE_CHECKING:
    from hlgnn.formulation.normalization import Normalized
    from hlgnn.models.hlgnn import HLGNN

Path = Literal["plain", "once", "spectral"]

# A dense product multiplies this many times faster than a sparse one, measured on two cores.
DENSE_GAIN = 12.0
MOST_NODES = 10_000
FLOAT = 4


def choose_path(model: HLGNN, num_nodes: int, num_edges: int, stored: int) -> Path:
    """The path that ``settings.path`` names, or the cheapest exact one for a step that needs every node.

    ``once`` needs an input and an operator that are fixed, and room for all orders; ``spectral`` the symmetric operator
    and a graph that is small enough to be diagonalised.

    Args:
        model: Whose settings and widths count.
        num_nodes: N.
        num_edges: Stored edges of the message graph.
        stored: Entries of the features that are stored.

    Raises:
        SettingsError: If the named path does not apply.
    """
    settings = model.settings
    once, spectral = _can_once(model, num_nodes), settings.propagation.operators == "sym" and model_is_linear(model)
    if settings.path == "once" and not once:
        raise SettingsError(
            "Products cannot be kept: input or operator are learned, dropout applies, or memory is too little.",
            where="path",
            hint="Use path = 'auto'.",
        )
    if settings.path == "spectral" and not spectral:
        raise SettingsError("Only the operator 'sym' is diagonalised.", where="path", hint="Use path = 'auto'.")
    if settings.path != "auto":
        return settings.path
    costs = path_costs(model, num_nodes, num_edges, stored)
    return min(costs, key=lambda path: costs[path])


def path_costs(model: HLGNN, num_nodes: int, num_edges: int, stored: int) -> dict[Path, float]:
    """Multiplications of a step that needs every node, for each path that applies."""
    costs: dict[Path, float] = {"plain": _cost_of_products(model, num_nodes, num_edges, stored)}
    if _can_once(model, num_nodes):
        costs["once"] = _cost_of_stack(model, num_nodes)
    spectral = model.settings.propagation.operators == "sym" and model_is_linear(model)
    if spectral and num_nodes <= MOST_NODES:
        costs["spectral"] = 2 * num_nodes**2 * model.width / DENSE_GAIN + _cost_of_layer(model, num_nodes, stored)
    return costs


def _cost_of_products(model: HLGNN, num_nodes: int, num_edges: int, stored: int) -> float:
    """Multiplications of L sparse products and of the linear layer, dense ones counted as fewer."""
    width = min(model.width, model.input_width + 1)
    products = model.settings.propagation.depth * (num_edges + num_nodes) * width
    return products + _cost_of_layer(model, num_nodes, stored)


def _cost_of_stack(model: HLGNN, num_nodes: int) -> float:
    """Reading all orders of all nodes once, and the linear layer."""
    orders = model.settings.propagation.depth + 1
    dense = num_nodes * model.input_width * model.width / DENSE_GAIN if model.linear is not None else 0.0
    return orders * num_nodes * (model.input_width + 1) + dense


def _cost_of_layer(model: HLGNN, num_nodes: int, stored: int) -> float:
    if model.linear is None:
        return 0.0
    dense = num_nodes * model.input_width / DENSE_GAIN
    return model.width * (min(dense, float(stored)) if model.embedding is None else dense)


def model_is_linear(model: HLGNN) -> bool:
    """Whether nothing stands between the layers."""
    chosen = model.settings.propagation
    return not chosen.transformation and chosen.activation == "none"


def stack_bytes(model: HLGNN, num_nodes: int) -> int:
    """What all orders of the input take together."""
    width = 0 if model.preparation is None else model.preparation.width
    return FLOAT * num_nodes * (model.settings.propagation.depth + 1) * (width + 1)


def _can_once(model: HLGNN, num_nodes: int) -> bool:
    dropout = model.settings.input.dropout + model.settings.propagation.dropout
    fixed_input = model.embedding is None and dropout == 0.0
    fixed_operator = model.propagation.fixed_operator is not None
    return fixed_input and fixed_operator and stack_bytes(model, num_nodes) <= model.settings.memory


def eigenvectors(normalized: Normalized) -> tuple[Tensor, Tensor]:
    """U and λ with Ã_sym = U diag(λ) Uᵀ, found in double precision.  (N, N), (N,)"""
    unit = torch.eye(normalized.num_nodes, dtype=torch.float64)
    operator = torch.tensor([0.0, 1.0, 0.0, 0.0], dtype=torch.float64)
    dense = choose(unit).forward(normalized, operator, unit)
    values, vectors = torch.linalg.eigh((dense + dense.T) / 2)
    return vectors.float().contiguous(), values.float()


def spectral_filter(basis: tuple[Tensor, Tensor], beta: Tensor, x: Tensor) -> Tensor:
    """U f(λ) Uᵀ X with f(λ) = Σ β_l λ^l: any depth for two dense products.  (N, F) -> (N, F)"""
    vectors, values = basis
    response = torch.zeros_like(values)
    for weight in beta.flip(0):
        response = response * values + weight
    if vectors.dtype != torch.bfloat16:
        return matrix_product(vectors, response[:, None] * matrix_product(vectors.T, x))
    # What the identity brings is kept as it is, and only what is propagated is rounded.
    inner = (response - beta[0])[:, None] * matrix_product(vectors.T, x, low=True)
    return beta[0] * x + matrix_product(vectors, inner, low=True)
