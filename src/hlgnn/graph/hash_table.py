"""Numbers for the distinct hashes among many, in a table that grows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hlgnn.graph.string_kernels import copy_table, number_hashes

if TYPE_CHECKING:
    import numpy.typing as npt

FIRST_SLOTS = 1 << 12


class HashTable:
    """The distinct hashes of one of ``parts`` parts: one thread's share.

    Arrays come from ``np.empty``, which asks for large pages of memory; compiled code and ``np.zeros`` do not.

    Attributes:
        first: The row where each distinct hash appeared first, ascending; only ``count`` of them are in use.
        count: How many distinct hashes there are.
    """

    def __init__(self, part: int, parts: int) -> None:
        self._share = (part, parts)
        self._table = np.zeros(2 * FIRST_SLOTS, np.uint64)
        self.first = np.empty(FIRST_SLOTS // 2, np.int64)  # a table is half full at most
        self.count = 0

    def number(self, hashes: npt.NDArray[np.uint64], row: int, codes: npt.NDArray[np.int32]) -> None:
        """Write the numbers of those of ``hashes``, from row number ``row`` on, that are this part's to ``codes``."""
        done = 0
        while True:
            done, self.count = number_hashes(
                hashes, (done, row), self._share, self._table, self.first, self.count, codes
            )
            if done == len(hashes):
                return
            self._grow()

    def _grow(self) -> None:
        table, first = np.empty(2 * len(self._table), np.uint64), np.empty(2 * len(self.first), np.int64)
        table.fill(0)
        copy_table(self._table, table)
        first[: self.count] = self.first[: self.count]
        self._table, self.first = table, first
