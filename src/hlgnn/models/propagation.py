"""Z = H X with learned weights of the orders and learned operators (Eqs. 2 and 3)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.errors import SettingsError
from hlgnn.formulation import Formulation, Operator
from hlgnn.formulation.beta_init import initial_beta
from hlgnn.formulation.checkpointed import checkpointed_horner, checkpointed_recurrence
from hlgnn.formulation.column_blocks import in_column_blocks
from hlgnn.formulation.geometric import geometric
from hlgnn.formulation.layer_storage import LayerStorage
from hlgnn.formulation.mixture_bound import bound_table, mixture_bounds
from hlgnn.formulation.polynomial import polynomial

if TYPE_CHECKING:
    from hlgnn.formulation.normalization import Normalized
    from hlgnn.models.settings import PropagationSettings

FIXED = {"sym": (0.0, 1.0, 0.0, 0.0), "row": (0.0, 0.0, 1.0, 0.0), "col": (0.0, 0.0, 0.0, 1.0)}
# The mixture starts close to Ã_sym: e² of it for one of each other.
SYM_START = 2.0


@dataclass(frozen=True, eq=False)
class Messages:
    """A message graph as propagation sees it.

    Attributes:
        normalized: Ã and its degrees.
        bounds: What bounds the radius of mixtures (T, 3, N), or ``None`` where nothing is mixed.
    """

    normalized: Normalized
    bounds: Tensor | None


class Propagation(nn.Module):
    """Z = Σ β_l A_l ⋯ A_1 X (Eq. 2), or Σ β_l A_1 ⋯ A_l X (Eq. 1), without transformation between layers.

    Args:
        settings: What is learned and where it starts.
        generator: For initialisations that draw.
    """

    def __init__(self, settings: PropagationSettings, generator: torch.Generator) -> None:
        super().__init__()
        self.settings, self.keeping = settings, LayerStorage()
        depth = settings.depth
        start = initial_beta(settings.beta_init, depth, settings.beta_parameter, generator)
        self.beta = nn.Parameter(start, requires_grad=settings.learn_beta)  # (L + 1,)
        self.register_buffer("mask", _mask(settings.layers, depth), persistent=False)
        if settings.operators in {"mixture", "literal-mixture"}:
            alpha = torch.zeros(depth, 3)  # (row, col, sym)
            alpha[:, 2] = SYM_START if settings.operators == "mixture" else 0.0
            self.alpha = nn.Parameter(alpha)  # (L, 3)
        elif settings.operators == "geometric":
            self.alpha = nn.Parameter(torch.zeros(depth))  # (L,): s = σ(α), one half at first
        else:
            self.register_parameter("alpha", None)

    mask: Tensor
    alpha: nn.Parameter | None

    @property
    def fixed_operator(self) -> Tensor | None:
        """The operator that every layer shares, unless operators are learned.  (4,)"""
        weights = FIXED.get(self.settings.operators)
        return None if weights is None else torch.tensor(weights, dtype=self.beta.dtype)

    @property
    def shares(self) -> Tensor | None:
        """The s of each layer if operators are geometric.  (L,)"""
        return torch.sigmoid(self.alpha) if self.alpha is not None and self.alpha.ndim == 1 else None

    @property
    def used_beta(self) -> Tensor:
        """β, zero for orders that do not count (Figure 2).  (L + 1,)"""
        return self.beta * self.mask

    def messages(self, normalized: Normalized) -> Messages:
        """What is computed once for a message graph."""
        mixed = self.settings.operators == "mixture" and self.settings.depth > 0
        return Messages(normalized, bound_table(normalized) if mixed else None)

    def operators(self, messages: Messages) -> Tensor:
        """The operators as weights (adj, sym, row, col) of Eq. 3.  (L, 4)"""
        if self.alpha is None:
            fixed = torch.tensor(FIXED[self.settings.operators], dtype=self.beta.dtype)
            return fixed.expand(self.settings.depth, 4)
        weights = torch.softmax(self.alpha, dim=1)  # (L, 3): row, col, sym
        if messages.bounds is not None:
            weights = weights / mixture_bounds(messages.bounds, weights)[:, None]
        row, col, sym = weights.unbind(dim=1)
        return torch.stack([torch.zeros_like(row), sym, row, col], dim=1)

    def forward(self, messages: Messages, x: Tensor, *, storage: torch.dtype | None = None) -> Tensor:
        """H X, with layers that are kept in bfloat16 if asked for, as ``keeping`` says.  (N, F) -> (N, F)"""
        reading, beta, normalized = self.settings.order == "reading", self.used_beta, messages.normalized
        fixed, shares, columns = self.fixed_operator, self.shares, self.keeping.columns
        if fixed is not None:
            return polynomial(normalized, fixed, beta, x, storage=storage, columns=columns)
        keeping = self.keeping if storage is None else replace(self.keeping, dtype=storage)

        def chain(x: Tensor, weights: Tensor, beta: Tensor) -> Tensor:
            if shares is not None:
                return geometric(normalized, weights, beta, x, reading=reading, storage=keeping)
            kept = checkpointed_horner if reading else checkpointed_recurrence
            return kept(normalized, weights, beta, x, keeping)

        weights = self.operators(messages) if shares is None else shares
        if 0 < columns < x.shape[1]:
            return in_column_blocks(chain, columns, x, weights, beta)
        return chain(x, weights, beta)

    @torch.no_grad()
    def formulation(self, messages: Messages, name: str = "learned") -> Formulation:
        """The same H as a heuristic (Proposition 4.1): Z = H X exactly."""
        betas = tuple(self.used_beta.double().tolist())
        shares = self.shares
        if shares is not None:
            tilts = tuple((shares.double() - 0.5).tolist())
            operators = (Operator(sym=1.0),) * self.settings.depth
            return Formulation(name, operators, betas, order=self.settings.order, tilts=tilts)
        rows = self.operators(messages).double().tolist()
        return Formulation(name, tuple(Operator(*row) for row in rows), betas, order=self.settings.order)


def _mask(layers: str, depth: int) -> Tensor:
    """One for the orders that count.  (L + 1,)"""
    mask = torch.ones(depth + 1)
    if layers == "last":
        mask[:depth] = 0.0
    elif layers.startswith("first-"):
        last = int(layers.removeprefix("first-"))
        if last > depth:
            raise SettingsError(
                f"There is no order {last} at depth {depth}.", where="propagation.layers", hint="Choose K up to depth."
            )
        mask[last + 1 :] = 0.0
    return mask
