"""How long a cell may take: until its budget is spent, or until it is plain that it never fits."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

FAR_BEYOND = 4.0
"""What is reckoned to take so many budgets does not fit, even if training should stop early."""

SHARE_TO_JUDGE = 0.1
"""The share of the budget that is spent before anything is judged: first steps compile and are no measure."""


class CellLimit:
    """Ends the process of a cell that does not fit into its budget.

    Args:
        process: What is ended.
        budget: Seconds that it may take; without one nothing is ended.
    """

    def __init__(self, process: BaseProcess, budget: float | None) -> None:
        self.process, self.budget, self.reached = process, budget, False
        self.timer = None if budget is None else threading.Timer(budget, self._end)
        if self.timer is not None:
            self.timer.start()

    def judge(self, spent: float, needed: float) -> None:
        """End it, if it is reckoned to need far more than it may have.

        Args:
            spent: Seconds since it was started.
            needed: Seconds that all of it would take.
        """
        if self.budget is not None and spent >= SHARE_TO_JUDGE * self.budget and needed > FAR_BEYOND * self.budget:
            self._end()

    def cancel(self) -> None:
        """The process has ended, one way or another."""
        if self.timer is not None:
            self.timer.cancel()
            self.timer.join()

    def _end(self) -> None:
        self.reached = True
        self.process.kill()
