"""What can be chosen about training."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from hlgnn.errors import HlgnnError
from hlgnn.evaluation import metric
from hlgnn.settings import Settings
from hlgnn.training.objectives import OBJECTIVES
from hlgnn.training.samplers import SAMPLERS

if TYPE_CHECKING:
    from hlgnn.registry import Registry


ALL_PAIRS = "all-pairs"


def _one_of(names: Registry[object], *others: str) -> AfterValidator:
    def check(name: str) -> str:
        if name not in names and name not in others:
            raise ValueError(str(names.unknown(name, *others)))
        return name

    return AfterValidator(check)


def _known_metric(name: str) -> str:
    if name != "protocol":
        try:
            metric(name)
        except HlgnnError as error:
            raise ValueError(str(error)) from None
    return name


class TrainSettings(Settings):
    """How a model is trained and which of its epochs is kept.

    Attributes:
        objective: The loss, by name; ``all-pairs`` is the cross entropy over all pairs of ``rows`` nodes, which needs a
            head whose scores are a matrix product.
        epochs: How many passes over the training links, at most.
        learning_rate: Adam's, for everything but β and α.
        beta_rate: Adam's rate for β and α; ``None`` is the same.
        weight_decay: How strongly weights are drawn to nought.
        decay: Whether that is decoupled from the gradient, as in AdamW, or a part of it, as in Adam.
        schedule: Whether rates stay, or fall to nought along a half cosine.
        batch_size: Positive links for each step.
        rows: Nodes for each step of ``all-pairs``; an epoch takes every node once.
        negatives: Negatives for each positive.
        sampler: Where negatives come from.
        gradient_clip: The largest norm of the gradient; 0 is no limit.
        hide: Which links are missing from the message graph while they are predicted: ``none``; ``folds``, each of
            ``folds`` parts in turn; ``fraction``, in every epoch a fresh ``hide_share`` of all, and only these are
            predicted; ``batch``, those of each batch.
        folds: How many folds. The more there are, the less the graph that links are predicted from differs from the
            whole one, and the longer all of them take.
        used_folds: How many of them are learned from; 0 is all.
        hide_share: Which fraction.
        both_directions: Whether a link is trained on as (i, j) and as (j, i), as the authors' program does.
        steps_per_encode: How many steps share the representations of nodes; more than one is an approximation that
            leaves the encoder untouched in between.
        evaluate_every: Epochs between two evaluations.
        patience: Evaluations without a better one before training ends; 0 is all epochs.
        select: The metric on validation links that the kept epoch has the best of; ``protocol`` is that of the
            data set.
        selection_negatives: Validation negatives to select by, drawn in addition, for each given one: Hits@K over a
            few hundred negatives does not tell epochs apart.
        select_at_rate: Whether Hits@K is selected at the share of negatives that K is among the test's.
    """

    objective: Annotated[str, _one_of(OBJECTIVES, ALL_PAIRS)] = "bce"
    epochs: Annotated[int, Field(ge=0)] = 100
    learning_rate: Annotated[float, Field(gt=0)] = 1e-3
    beta_rate: Annotated[float, Field(gt=0)] | None = None
    weight_decay: Annotated[float, Field(ge=0)] = 0.0
    decay: Literal["decoupled", "gradient"] = "decoupled"
    schedule: Literal["constant", "cosine"] = "constant"
    batch_size: Annotated[int, Field(ge=1)] = 65_536
    rows: Annotated[int, Field(ge=1)] = 1024
    negatives: Annotated[int, Field(ge=1)] = 1
    sampler: Annotated[str, _one_of(SAMPLERS)] = "uniform"
    gradient_clip: Annotated[float, Field(ge=0)] = 1.0
    hide: Literal["none", "folds", "fraction", "batch"] = "none"
    folds: Annotated[int, Field(ge=2)] = 5
    used_folds: Annotated[int, Field(ge=0)] = 0
    hide_share: Annotated[float, Field(gt=0, lt=1)] = 0.2
    both_directions: bool = False
    steps_per_encode: Annotated[int, Field(ge=1)] = 1
    evaluate_every: Annotated[int, Field(ge=1)] = 1
    patience: Annotated[int, Field(ge=0)] = 0
    select: Annotated[str, AfterValidator(_known_metric)] = "protocol"
    selection_negatives: Annotated[int, Field(ge=0)] = 0
    select_at_rate: bool = False

    @model_validator(mode="after")
    def _folds_are_there(self) -> TrainSettings:
        if self.used_folds > self.folds:
            raise ValueError(
                f"used_folds is {self.used_folds}, and there are {self.folds} folds: lower it, or set it to 0"
            )
        return self

    @property
    def learned_folds(self) -> int:
        """How many message graphs are prepared for ``hide = "folds"`` beside the whole one."""
        return self.used_folds or self.folds
