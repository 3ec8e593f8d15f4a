"""Where the weights β_l of the orders start (Appendix C.1)."""

from __future__ import annotations

import math
from collections.abc import Callable

import torch
from torch import Tensor

from hlgnn.errors import SettingsError
from hlgnn.registry import Registry

BetaInit = Callable[[int, float, torch.Generator], Tensor]
"""(L, parameter, generator) -> β_0 … β_L, in single precision.  (L + 1,)"""


def katz(depth: int, gamma: float, _generator: torch.Generator) -> Tensor:
    """β_l = γ^l, as in the Katz index.

    Example:
        >>> katz(2, 0.5, torch.Generator()).tolist()
        [1.0, 0.5, 0.25]
    """
    return torch.tensor([gamma**order for order in range(depth + 1)])


def restart(depth: int, alpha: float, _generator: torch.Generator) -> Tensor:
    """β_l = (1 − α) α^l, as in random walks with restart."""
    return torch.tensor([(1 - alpha) * alpha**order for order in range(depth + 1)])


def published_restart(depth: int, alpha: float, generator: torch.Generator) -> Tensor:
    """β_l = (1 − α) α^l, the last one α^L, divided by their sum: what the authors' program starts from, 1 − α for α."""
    beta = restart(depth, alpha, generator)
    beta[depth] = alpha**depth
    return beta / beta.abs().sum()


def normal(depth: int, scale: float, generator: torch.Generator) -> Tensor:
    """β_l drawn from the normal distribution with that standard deviation; the paper's is one."""
    return scale * torch.randn(depth + 1, generator=generator)


def published_random(depth: int, _scale: float, generator: torch.Generator) -> Tensor:
    """β_l uniform in ±√(3 / (L + 1)), divided by the sum of magnitudes: what the authors' program draws."""
    bound = math.sqrt(3 / (depth + 1))
    beta = (2 * torch.rand(depth + 1, generator=generator) - 1) * bound
    return beta / beta.abs().sum()


def uniform(depth: int, _parameter: float, _generator: torch.Generator) -> Tensor:
    """β_l = 1 / L for every order; one at depth 0. There is no parameter."""
    return torch.full((depth + 1,), 1 / max(1, depth))


def reverse_katz(depth: int, gamma: float, generator: torch.Generator) -> Tensor:
    """β_l = γ^(L − l): the Katz index from its far end."""
    return katz(depth, gamma, generator).flip(0)


def final_layer(depth: int, _parameter: float, _generator: torch.Generator) -> Tensor:
    """β_L = 1 and all others zero, as in simple graph convolution. There is no parameter."""
    beta = torch.zeros(depth + 1)
    beta[depth] = 1.0
    return beta


BETA_INITS: Registry[BetaInit] = Registry(
    "beta initialisation",
    {
        "ki": katz,
        "rwr": restart,
        "random": normal,
        "uniform": uniform,
        "reverse-ki": reverse_katz,
        "final-layer": final_layer,
        "published-rwr": published_restart,
        "published-random": published_random,
    },
)
"""The six of Appendix C.1 as printed, and the two that the authors' program has instead of the printed ones."""


def initial_beta(name: str, depth: int, parameter: float, generator: torch.Generator) -> Tensor:
    """β_0 … β_L by the name of the initialisation.  (L + 1,)

    Raises:
        UnknownNameError: If there is none of that name.
        SettingsError: If a weight would not be finite.
    """
    try:
        beta = BETA_INITS[name](depth, parameter, generator)
        finite = bool(beta.isfinite().all())
    except (OverflowError, ZeroDivisionError):
        finite = False
    if not finite:
        raise SettingsError(
            f"{name} with the parameter {parameter} overflows at depth {depth}.", where="beta_parameter"
        )
    return beta
