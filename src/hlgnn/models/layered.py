"""Propagation with a matrix or an activation in every layer: what HL-GNN leaves out (Table 10)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.errors import SettingsError
from hlgnn.formulation.geometric import tilted_product
from hlgnn.formulation.propagation import multiply
from hlgnn.models.initialization import linear
from hlgnn.models.propagation import Messages, Propagation

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.formulation.normalization import Normalized
    from hlgnn.models.settings import PropagationSettings

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {"none": lambda x: x, "relu": torch.relu, "tanh": torch.tanh}


class LayeredPropagation(nn.Module):
    """Z = Σ β_l Z_l with Z_l = σ(A_l Z_(l-1) W_l); no longer linear, and no longer a heuristic."""

    def __init__(self, settings: PropagationSettings, width: int, generator: torch.Generator) -> None:
        super().__init__()
        if settings.order == "reading":
            raise SettingsError(
                "Layers with a transformation or an activation have one order, that of Eq. 2.",
                where="propagation.order",
                hint="Set order = 'recurrence'.",
            )
        self.plain = Propagation(settings.model_copy(update={"order": "recurrence"}), generator)
        count = settings.depth if settings.transformation else 0
        self.transformations = nn.ModuleList(linear(width, width, generator, bias=False) for _ in range(count))
        self.activation = ACTIVATIONS[settings.activation]

    @property
    def beta(self) -> nn.Parameter:
        """The weights of the orders.  (L + 1,)"""
        return self.plain.beta

    @property
    def alpha(self) -> nn.Parameter | None:
        """What the operators are learned by."""
        return self.plain.alpha

    @property
    def used_beta(self) -> Tensor:
        """β, zero for orders that do not count."""
        return self.plain.used_beta

    @property
    def fixed_operator(self) -> None:
        """No shortcut holds once layers are not linear."""

    def messages(self, normalized: Normalized) -> Messages:
        """What is computed once for a message graph."""
        return self.plain.messages(normalized)

    def forward(self, messages: Messages, x: Tensor) -> Tensor:
        """(N, F) -> (N, F)"""
        beta, normalized, shares = self.used_beta, messages.normalized, self.plain.shares
        product, operators = (multiply, self.plain.operators(messages)) if shares is None else (tilted_product, shares)
        z, total = x, beta[0] * x
        for level, operator in enumerate(operators):
            z = product(normalized, operator, z)
            if len(self.transformations):
                z = self.transformations[level](z)
            z = self.activation(z)
            total = total + beta[level + 1] * z
        return total
