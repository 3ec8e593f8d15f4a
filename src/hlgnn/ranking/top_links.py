"""The exact best k missing links by a trained model."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlgnn.errors import SettingsError
from hlgnn.formulation.memory import DEFAULT_MEMORY
from hlgnn.processes import SINGLE, Group
from hlgnn.progress import Progress, silent
from hlgnn.ranking.best_pairs import BestPairs
from hlgnn.ranking.exact_scores import ExactScores, evaluating, settled
from hlgnn.ranking.product_search import search_product
from hlgnn.ranking.shared import best_of_all
from hlgnn.ranking.streamed_search import search_stream

if TYPE_CHECKING:
    from hlgnn.formulation.ranked import RankedLinks
    from hlgnn.models import LinkModel
    from hlgnn.ranking.candidates import Candidates


def top_model_links(
    model: LinkModel[Any, Any],
    state: Any,
    candidates: Candidates,
    k: int,
    *,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
    group: Group = SINGLE.everyone,
) -> RankedLinks:
    """The k allowed pairs that the model scores highest, or all of them if there are fewer.

    A score is that of (i, j) with i < j in double precision, rounded to single precision, so that it does not depend on
    what is computed at the same time. Equal scores are ordered by node. The score of (j, i) must be the same up to
    rounding, as that of every head is.

    Args:
        model: What scores.
        state: What ``model.encode`` gave, in evaluation mode.
        candidates: Which pairs.
        k: How many.
        memory: About how many bytes blocks of pairs may take, beside representations and the result.
        progress: Told how much of the work is done.
        group: The processes that share the rows; all have to call this, and all get the same.

    Raises:
        SettingsError: If ``k`` is negative, or ``memory`` is too little for anything.
        NumericalError: If a score is infinite or no number.
    """
    check_count(k)
    with evaluating(model):
        state = settled(state)
        most = min(k, candidates.count())
        form = model.product_form(state) if most else None
        if most == 0:
            return BestPairs(0, ExactScores(model, state)).ranked
        if form is None:
            found = search_stream(model, state, candidates, most, memory, progress, group).settle()
            return best_of_all(found, most, group)
        best = BestPairs(most, ExactScores(model, state), candidates.minimum)
        found = search_product(form, candidates, best, memory, progress, group).settle()
        return best_of_all(found, most, group)


def check_count(k: int) -> None:
    """Refuse a negative number of pairs."""
    if k < 0:
        raise SettingsError(f"The best {k} pairs cannot be listed.", where="k", hint="Give zero or more.")
