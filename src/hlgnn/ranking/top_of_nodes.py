"""The exact best k missing links of each of some nodes, by a trained model."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation.memory import DEFAULT_MEMORY, most_columns
from hlgnn.formulation.ranked import RankedLinks
from hlgnn.processes import SINGLE, Group
from hlgnn.progress import Progress, silent
from hlgnn.ranking.candidates import check_nodes
from hlgnn.ranking.cones import UNIT, rounding
from hlgnn.ranking.exact_scores import ExactScores, evaluating, quick_scores, settled
from hlgnn.ranking.product_search import check_form
from hlgnn.ranking.shared import lists_of_all
from hlgnn.ranking.streamed_search import LEAST_SAFETY, SAFETY
from hlgnn.ranking.top_links import check_count

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.models import LinkModel, ProductForm
    from hlgnn.ranking.candidates import Candidates

BYTES_PER_SCORE = 64
MOST_ROWS = 256


def top_links_of_nodes(
    model: LinkModel[Any, Any],
    state: Any,
    candidates: Candidates,
    nodes: Tensor,
    k: int,
    *,
    memory: int = DEFAULT_MEMORY,
    progress: Progress = silent,
    group: Group = SINGLE.everyone,
) -> list[RankedLinks]:
    """For each of ``nodes``, the k allowed pairs with it that the model scores highest, or all if there are fewer.

    Scores and the order of equal ones are those of ``top_model_links``.

    Args:
        model: What scores.
        state: What ``model.encode`` gave, in evaluation mode.
        candidates: Which pairs.
        nodes: Whose links.  (R,)
        k: How many for each node.
        memory: About how many bytes a block of rows may take, beside representations and the result.
        progress: Told how many nodes are done.
        group: The processes that share the nodes; all have to call this, and all get the same.

    Raises:
        SettingsError: If ``k`` is negative, a node is none, or ``memory`` is too little for one row.
        NumericalError: If a score is infinite or no number.
    """
    check_count(k)
    count = candidates.graph.num_nodes
    check_nodes(nodes, count, "nodes")
    if nodes.ndim != 1:
        raise SettingsError(f"Nodes are one list, not of the shape {tuple(nodes.shape)}.", where="nodes")
    height = min(MOST_ROWS, most_columns(memory, 0, BYTES_PER_SCORE * max(1, count), what="one row of scores"))
    found: list[RankedLinks] = []
    with evaluating(model):
        rows = _Rows(model, settled(state), candidates)
        own = nodes.long()[group.share(len(nodes))]
        for block in own.split(height) if len(own) else ():
            found += rows.best(block, min(k, count))
            progress("Best links of nodes", len(found), len(own))
    return lists_of_all(found, group)


class _Rows:
    """Whole rows of scores: approximately, and exactly where it matters."""

    def __init__(self, model: LinkModel[Any, Any], state: Any, candidates: Candidates) -> None:
        self.model, self.state, self.candidates = model, state, candidates
        self.exact = ExactScores(model, state)
        self.everyone = torch.arange(candidates.graph.num_nodes)
        self.form: ProductForm | None = model.product_form(state)
        self.error = 0.0
        if self.form is not None and len(self.everyone):
            check_form(self.form)
            largest = float(self.form.left.norm(dim=1).amax()) * float(self.form.right.norm(dim=1).amax())
            self.error = rounding(self.form.left.shape[1]) * largest + 4 * UNIT * abs(float(self.form.shift))

    def best(self, nodes: Tensor, k: int) -> list[RankedLinks]:
        """The best k pairs of each node.  (R,)"""
        mask = self.candidates.mask(nodes, self.everyone)
        scores = self._scores(nodes, mask)  # (R, N)
        error = self.error
        while True:
            row, column = self._near(scores, k, error)
            pairs = torch.stack([nodes[row], column], dim=1)
            exact = self.exact(pairs)
            seen = float((exact - scores[row, column]).abs().amax()) if len(exact) else 0.0
            if self.form is not None or LEAST_SAFETY * seen <= error:
                break
            error = SAFETY * seen
        if self.candidates.minimum is not None:
            enough = exact >= self.candidates.minimum
            row, pairs, exact = row[enough], pairs[enough], exact[enough]
        return _ranked_rows(row, pairs, exact, len(nodes), k)

    def _scores(self, nodes: Tensor, mask: Tensor) -> Tensor:
        """Approximate scores, −∞ where a pair is not allowed.  (R,), (R, N) -> (R, N)"""
        if self.form is not None:
            return self.form.rows(nodes).masked_fill_(~mask, -math.inf)
        row, column = mask.nonzero().unbind(dim=1)
        pairs = torch.stack([nodes[row], column], dim=1).sort(dim=1).values
        scores = torch.full(mask.shape, -math.inf)
        scores[row, column] = quick_scores(self.model, self.state, pairs)
        return scores

    def _near(self, scores: Tensor, k: int, error: float) -> tuple[Tensor, Tensor]:
        """Where a pair can be among the best k of its row.  (R, N) -> (P,), (P,)"""
        least = torch.full((len(scores), 1), math.inf)
        if k and scores.shape[1]:
            least = scores.topk(k, dim=1).values[:, -1:]
        near = scores >= least.double() - 2 * error
        near &= scores > -math.inf
        if self.candidates.minimum is not None:
            near &= scores.double() >= self.candidates.minimum - error
        row, column = near.nonzero().unbind(dim=1)
        return row, column


def _ranked_rows(row: Tensor, pairs: Tensor, scores: Tensor, count: int, k: int) -> list[RankedLinks]:
    """Pairs by the row that they belong to, each list in order and not longer than k.  (P,), (P, 2), (P,)"""
    ordered = pairs.sort(dim=1).values
    keys = (ordered[:, 1].numpy(), ordered[:, 0].numpy(), -scores.numpy(), row.numpy())
    order = torch.from_numpy(np.lexsort(keys))
    sizes = torch.bincount(row, minlength=count).tolist()
    lists = zip(ordered[order].split(sizes), scores[order].split(sizes), strict=True)
    return [RankedLinks(some[:k].clone(), values[:k].clone()) for some, values in lists]
