"""How a heuristic treats smooth and alternating signals: f(λ) = Σ β_l λ^l over the eigenvalues of its operator."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.polynomial import polynomial

from hlgnn.errors import SettingsError

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation import Formulation

    Floats = npt.NDArray[np.float64]


def has_response(formulation: Formulation) -> bool:
    """Whether H is a function of eigenvalues in [−1, 1]: all operators Ã_sym, all Ã_rs, all Ã_cs, or tilted ones.

    These are similar to each other, D^t Ã_sym D^-t, so they share their eigenvalues. If the tilts of layers differ, the
    response is that of the same weights without tilts, which is close to it while tilts are. Mixtures and Ã itself have
    none.

    Example:
        >>> from hlgnn.formulation import parse
        >>> [has_response(parse(name)) for name in ("normalized-ra", "rwr:order=4", "cn", "llhn")]
        [True, True, False, False]
    """
    kinds = set(formulation.operators)
    normalized = all(operator.powers not in {None, (0.0, 0.0)} for operator in kinds)
    return len(kinds) <= 1 and normalized and not formulation.degree_scale


def frequency_response(formulation: Formulation, frequencies: Floats) -> Floats:
    """f(λ) = Σ β_l λ^l at each λ: what H multiplies the eigenvector with that eigenvalue by.  (K,) -> (K,)

    λ = 1 belongs to the smoothest signal on the graph; values near −1 to one that alternates from node to node.

    Raises:
        SettingsError: If H has no such response.

    Example:
        >>> from hlgnn.formulation import SYM, Formulation
        >>> h = Formulation("h", (SYM, SYM), (1.0, 0.0, 2.0))
        >>> frequency_response(h, np.array([-1.0, 0.0, 0.5])).tolist()
        [3.0, 1.0, 1.5]
    """
    if not has_response(formulation):
        raise SettingsError(
            "Its operators do not share their eigenvalues, so it has no frequency response.",
            where=f"formulation {formulation.name!r}",
            hint="Responses exist for one normalised operator that every layer shares, such as 'sym'.",
        )
    return np.asarray(polynomial.polyval(frequencies, np.asarray(formulation.betas)), dtype=np.float64)
