"""Propagation operators: Table 1 and Eq. 3 are four numbers."""

from __future__ import annotations

from typing import NamedTuple


class Operator(NamedTuple):
    """Weights over the four matrices of Table 1 (Eq. 3).

    ``adj`` multiplies Ã, ``sym`` D^-½ Ã D^-½, ``row`` D^-1 Ã and ``col`` Ã D^-1, where D holds the row sums of Ã.

    Example:
        >>> ROW.transposed == COL
        True
    """

    adj: float = 0.0
    sym: float = 0.0
    row: float = 0.0
    col: float = 0.0

    @property
    def transposed(self) -> Operator:
        """Ã is symmetric, so transposing swaps the row- and the column-stochastic part."""
        return self._replace(row=self.col, col=self.row)

    @property
    def powers(self) -> tuple[float, float] | None:
        """(p, q) if this is exactly D^-p Ã D^-q, one matrix of Table 1; ``None`` for any other mixture."""
        return {ADJ: (0.0, 0.0), SYM: (0.5, 0.5), ROW: (1.0, 0.0), COL: (0.0, 1.0)}.get(self)


ADJ = Operator(adj=1.0)
"""Ã."""

SYM = Operator(sym=1.0)
"""D^-½ Ã D^-½, symmetric."""

ROW = Operator(row=1.0)
"""D^-1 Ã, whose rows sum to one."""

COL = Operator(col=1.0)
"""Ã D^-1, whose columns sum to one."""
