"""One score for each unordered pair, whatever it is computed together with."""

from __future__ import annotations

from contextlib import contextmanager
from dataclasses import fields, is_dataclass, replace
from typing import TYPE_CHECKING, Any, cast

import torch
from torch import Tensor, nn
from torch.func import functional_call

from hlgnn.errors import NumericalError
from hlgnn.models.encoded import Encoded

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.models import LinkModel

# What a batch gathers and computes stays in the cache of a processor.
PAIRS_AT_ONCE = 4096


@contextmanager
def evaluating(model: LinkModel[Any, Any]) -> Iterator[None]:
    """Without dropout and gradients; afterwards the model is in the mode that it was in."""
    was_training = model.training
    model.eval()
    try:
        with torch.no_grad():
            yield
    finally:
        model.train(was_training)


def settled(state: Any) -> Any:
    """A state whose representations are computed once, instead of anew for every batch of pairs."""
    if isinstance(state, Encoded) and state.stack is not None:
        return replace(state, z=state.whole(), stack=None)
    return state


def quick_scores(model: LinkModel[Any, Any], state: Any, pairs: Tensor) -> Tensor:
    """``model.score`` in batches; its last bits depend on where in a batch a pair stands.  (P, 2) -> (P,)

    Raises:
        NumericalError: If a score is infinite or no number.
    """
    scores = [model.score(state, batch) for batch in pairs.split(PAIRS_AT_ONCE)]
    return _finite(torch.cat(scores) if scores else torch.empty(0))


class ExactScores:
    """``model.score`` in double precision, rounded to single precision; the smaller node comes first.

    The sums of a matrix product are rounded in an order that depends on how many pairs there are and where each of them
    stands, so that equal pairs may differ in their last bits. Rounded from double precision they are equal, and the
    score of a pair does not depend on the others.

    Args:
        model: What scores, in evaluation mode.
        state: A settled state. One that is neither a tensor nor a data class is used as it is; so is that of a model
            that cannot score in double precision.
    """

    def __init__(self, model: LinkModel[Any, Any], state: Any) -> None:
        self.model, self.weights, self.state, self.single = model, {}, state, state
        if isinstance(state, Tensor) or is_dataclass(state):
            named = [*model.named_parameters(), *model.named_buffers()]
            self.weights = {f"model.{name}": _in_double(value) for name, value in named}
            self.state = _in_double(state)
        self.scoring = _Scoring(model)

    weights: dict[str, Any]

    def __call__(self, pairs: Tensor) -> Tensor:
        """The score of every pair.  (P, 2) -> (P,), float64

        Raises:
            NumericalError: If a score is infinite or no number.
        """
        ordered = pairs.sort(dim=1).values
        scores = [self._score(batch) for batch in ordered.split(PAIRS_AT_ONCE)]
        return _finite(torch.cat(scores).float() if scores else torch.empty(0)).double()

    def _score(self, pairs: Tensor) -> Tensor:
        try:
            return functional_call(self.scoring, self.weights, (self.state, pairs))  # type: ignore[no-any-return]
        except RuntimeError as error:
            if not self.weights or "dtype" not in str(error):
                raise
            self.weights, self.state = {}, self.single  # the model makes tensors of single precision for itself
            return self._score(pairs)


class _Scoring(nn.Module):
    """``model.score`` as the call of a module, whose weights can be given."""

    def __init__(self, model: LinkModel[Any, Any]) -> None:
        super().__init__()
        self.model = model

    def forward(self, state: Any, pairs: Tensor) -> Tensor:
        """(P, 2) -> (P,)"""
        return self.model.score(state, pairs)


def _in_double(value: Any) -> Any:
    """Tensors of single precision in double precision, also those inside of data classes."""
    if isinstance(value, Tensor):
        return value.detach().double() if value.dtype == torch.float32 else value
    if is_dataclass(value) and not isinstance(value, type):
        inner = {each.name: getattr(value, each.name) for each in fields(value)}
        changed = {name: _in_double(part) for name, part in inner.items()}
        different = {name: part for name, part in changed.items() if part is not inner[name]}
        return replace(cast("Any", value), **different) if different else value
    return value


def _finite(scores: Tensor) -> Tensor:
    if not bool(scores.isfinite().all()):
        raise NumericalError(
            "The model has scores that are infinite or no numbers.",
            hint="Train it with a lower train.learning_rate or train.beta_rate, or with operators that stay bounded.",
        )
    return scores
