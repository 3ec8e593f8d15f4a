"""Y = A X and its gradients, several times over: one pass on the CPU, torch elsewhere, and what both must equal."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Protocol

import torch

from hlgnn.errors import SettingsError, UnknownNameError
from hlgnn.formulation.kernels import numba_fused, reference, torch_csr
from hlgnn.registry import Registry

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized

__all__ = ["KERNELS", "VARIABLE", "Kernel", "choose"]

VARIABLE = "HLGNN_KERNEL"


class Kernel(Protocol):
    """Products with A = adj Ã + sym D^-½ Ã D^-½ + row D^-1 Ã + col Ã D^-1 (Eq. 3); every module of this package is one.

    An operator is the tensor (adj, sym, row, col). Nothing here is recorded by autograd: ``propagation.multiply`` is.
    """

    def forward(self, normalized: Normalized, operator: Tensor, x: Tensor) -> Tensor:
        """A X.  (4,), (N, F) -> (N, F)"""

    def backward(self, normalized: Normalized, operator: Tensor, x: Tensor, grad: Tensor) -> tuple[Tensor, Tensor]:
        """Aᵀ G, and the gradient of the operator.  (4,), (N, F), (N, F) -> (N, F), (4,)"""

    def pulled(
        self,
        normalized: Normalized,
        operator: Tensor,
        x: Tensor,
        grad: Tensor,
        weight: Tensor,
        base: Tensor,
        out: Tensor | None = None,
    ) -> tuple[Tensor, Tensor, Tensor]:
        """Aᵀ G + weight · B, the gradient of the operator, and ⟨X, B⟩.  -> (N, F), (4,), ()"""

    def shifted(
        self, normalized: Normalized, operator: Tensor, z: Tensor, weight: Tensor, x: Tensor, out: Tensor | None = None
    ) -> Tensor:
        """A Z + weight · X, a step of Horner's rule; ``out``, not Z, may take the result.  -> (N, F)"""

    def accumulated(
        self,
        normalized: Normalized,
        operator: Tensor,
        z: Tensor,
        weight: Tensor,
        total: Tensor,
        out: Tensor | None = None,
    ) -> Tensor:
        """A Z; adds weight · A Z to ``total`` in place, a step of the recurrence.  -> (N, F)"""

    def projected(
        self,
        normalized: Normalized,
        operator: Tensor,
        z: Tensor,
        weight: Tensor,
        total: Tensor,
        x: Tensor,
        out: Tensor | None = None,
    ) -> tuple[Tensor, Tensor]:
        """``accumulated``, and ⟨A Z, X⟩, the gradient of a weight.  -> (N, F), ()"""


KERNELS: Registry[Kernel] = Registry("kernel", {"reference": reference, "numba": numba_fused, "torch": torch_csr})


def choose(x: Tensor) -> Kernel:
    """The kernel for features like ``x``: ``numba`` on the CPU in single and double precision, ``torch`` elsewhere.

    The environment variable HLGNN_KERNEL names another one.

    Raises:
        UnknownNameError: If there is no kernel of that name.
        SettingsError: If it cannot multiply ``x``.
    """
    compiled = x.device.type == "cpu" and x.dtype in {torch.float32, torch.float64}
    name = os.environ.get(VARIABLE) or ("numba" if compiled else "torch")
    if name not in KERNELS:
        error = KERNELS.unknown(name)
        raise UnknownNameError(error.what, where=VARIABLE, hint=error.hint)
    kernel = KERNELS[name]
    if kernel is numba_fused and not compiled:
        raise SettingsError(
            f"The kernel 'numba' cannot multiply {x.dtype} on {x.device}.",
            where=VARIABLE,
            hint="Use float32 or float64 on the CPU, or the kernel 'torch'.",
        )
    return kernel
