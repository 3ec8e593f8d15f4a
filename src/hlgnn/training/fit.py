"""The training loop, in the order in which things happen."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.errors import NumericalError, SettingsError
from hlgnn.processes import SINGLE, Processes
from hlgnn.training.all_pairs import AllPairs, all_pairs_cross_entropy
from hlgnn.training.gradients import Gradients
from hlgnn.training.hidden_targets import HiddenTargets
from hlgnn.training.noise import Noise
from hlgnn.training.objectives import OBJECTIVES
from hlgnn.training.parts import learn_in_parts, part_size
from hlgnn.training.samplers import SAMPLERS
from hlgnn.training.selection import Selection, make_selection
from hlgnn.training.train_settings import ALL_PAIRS, TrainSettings

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torch import Tensor

    from hlgnn.data import Split
    from hlgnn.models import LinkModel
    from hlgnn.seeds import Seeds
    from hlgnn.training.parts import Part

    Parts = Callable[[Any, Tensor], list[Part]]


REMEMBERED = 1 << 29
"""Half a gigabyte: two million validation pairs with sixty numbers each."""


@dataclass(frozen=True)
class EpochRecord:
    """What is known after an epoch.

    Attributes:
        epoch: Its number, from one.
        loss: The mean loss of its batches.
        valid: What epochs are compared by, or ``None`` if it was not evaluated.
        seconds: How long it took.
    """

    epoch: int
    loss: float
    valid: float | None
    seconds: float


class Training:
    """A model in training: everything that the next epoch depends on, and one method that makes it.

    Args:
        model: Whose weights are learned, in place.
        split: Training and validation links with their message graph.
        settings: How.
        default_metric: The metric of the data set.
        seeds: Generators for the stages of training.
        processes: Who takes part. All draw the same batches; each has the loss of its share of them, weighted so that
            shares add up to the mean over the batch.
        remembered: Bytes that may be kept of what is computed of validation pairs, for all epochs.
    """

    def __init__(
        self,
        model: LinkModel[Any, Any],
        split: Split,
        settings: TrainSettings,
        *,
        default_metric: str,
        seeds: Seeds,
        processes: Processes = SINGLE,
        remembered: int = REMEMBERED,
    ) -> None:
        self.model, self.split, self.settings, self.processes = model, split, settings, processes
        self.generator = seeds.generator("train")
        self.gradients, self.noise = Gradients(model, processes), Noise(model, processes)
        self.gradients.agree_on_weights()
        self.targets = HiddenTargets(model, split, settings, seeds.generator("folds"))
        model.remember(self.targets.whole, remembered)
        model.expect(settings.batch_size * (1 + settings.both_directions) * (1 + settings.negatives))
        self.selection: Selection = make_selection(split, settings, default_metric, seeds.generator("selection"))
        self.optimizer = build_optimizer(model, settings)
        self.epoch, self.best_epoch, self.best_valid, self.best_auc = 0, 0, -math.inf, -math.inf
        self.best_weights = _copy(model)
        self.evaluations_since_best = 0

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do."""
        patience = self.settings.patience
        return self.epoch >= self.settings.epochs or (patience > 0 and self.evaluations_since_best >= patience)

    def run_epoch(self) -> EpochRecord:
        """One pass over the training links, and an evaluation if it is due."""
        start = time.perf_counter()
        self.epoch += 1
        self._set_rates()
        self.noise.begin(self.epoch)
        loss = self._learn()
        due = self.epoch % self.settings.evaluate_every == 0 or self.epoch == self.settings.epochs
        valid = self.offer() if due else None
        return EpochRecord(self.epoch, loss, valid, time.perf_counter() - start)

    def offer(self) -> float:
        """Evaluate the weights as they are, and keep them if they are the best so far."""
        valid, area = self.selection.value(self.model, self.targets.whole, self.processes)
        if (valid, area) > (self.best_valid, self.best_auc):
            self.best_epoch, self.best_valid, self.best_auc = self.epoch, valid, area
            self.best_weights = _copy(self.model, into=self.best_weights)
            self.evaluations_since_best = 0
        else:
            self.evaluations_since_best += 1
        return valid

    def choose(self) -> None:
        """Where nothing is learned: evaluate every version of the model, and keep the best."""
        for number in range(self.model.choices):
            self.model.choose(number)
            self.offer()
        self.restore_best()

    def restore_best(self) -> None:
        """Put the kept weights back into the model."""
        self.model.load_state_dict(self.best_weights)

    def _learn(self) -> float:
        self.model.train()
        losses = [loss for steps in self.steps() for loss in steps()]
        return sum(losses) / max(1, len(losses))

    @property
    def steps_per_epoch(self) -> int:
        """How many steps an epoch has; the last ones may be shorter."""
        settings, split, count = self.settings, self.split, len(self.split.train)
        sizes, batch = [count], settings.batch_size
        if settings.hide == "folds":
            first = settings.folds - settings.learned_folds  # the larger ones are learned from
            sizes = [(count + part) // settings.folds for part in range(first, settings.folds)]
        elif settings.hide == "fraction":
            sizes = [max(1, round(settings.hide_share * count))]
        if settings.objective == ALL_PAIRS:
            sizes, batch = [split.graph.num_nodes] * len(sizes), settings.rows
        return sum(math.ceil(size / batch) for size in sizes)

    def steps(self) -> Iterator[Callable[[], list[float]]]:
        """The steps of an epoch, those that share an encoding together; each is made when it is called."""
        for prepared, messages, links in self.targets.epoch(self.generator):
            parts_of: Parts = self._sampled_parts
            targets, size = links, self.settings.batch_size
            if self.settings.objective == ALL_PAIRS:
                parts_of = partial(self._all_pairs, AllPairs(self.split.graph, messages))
                targets, size = torch.arange(self.split.graph.num_nodes), self.settings.rows
            batches = targets[torch.randperm(len(targets), generator=self.generator)].split(size)
            for first in range(0, len(batches), self.settings.steps_per_encode):
                yield partial(self._steps, prepared, batches[first : first + self.settings.steps_per_encode], parts_of)

    def _steps(self, prepared: Any, batches: Sequence[Tensor], parts_of: Parts) -> list[float]:
        """Steps that share one encoding; the first moves the encoder too, the others what comes after it."""
        losses = []
        state = self.model.encode(prepared)
        for position, batch in enumerate(batches):
            if position == 1:
                with torch.no_grad():
                    state = self.model.encode(prepared)
            self.optimizer.zero_grad(set_to_none=True)
            loss, learned = learn_in_parts(self.model, state, parts_of(state, batch))
            losses.append(self.processes.pairs.sum(loss.clone(), "loss").item())
            if not math.isfinite(losses[-1]):
                raise NumericalError(
                    f"The loss of epoch {self.epoch} is not a number any more.",
                    hint="Lower train.learning_rate or train.beta_rate, or use operators that stay bounded.",
                )
            if learned:  # not so where all that is learned is the encoder, and this is not its step
                self.gradients.sum()
                self.gradients.clip(self.settings.gradient_clip)
                self.optimizer.step()
        return losses

    def _all_pairs(self, pairs: AllPairs, _state: Any, nodes: Tensor) -> list[Part]:
        return [partial(self._all_pairs_loss, pairs, nodes)]

    def _all_pairs_loss(self, pairs: AllPairs, nodes: Tensor, state: Any) -> Tensor:
        form = self.model.product_form(state)
        if form is None:
            raise SettingsError(
                "All pairs are trained on only where scores are a matrix product.",
                where="train.objective",
                hint="Set model.head.kind to 'dot', 'cosine' or 'diagonal', or choose another objective.",
            )
        own = nodes[self.processes.pairs.part(len(nodes))[0]]
        counted = pairs.counted(own)
        count = counted.sum()
        share = count.clamp(min=1) / self.processes.pairs.sum(count.clone(), "loss").clamp(min=1)
        return share * all_pairs_cross_entropy(form.rows(own), pairs.labels(own), counted)

    def _sampled_parts(self, state: Any, batch: Tensor) -> list[Part]:
        """The links of a batch with negatives, in one part or several, each with its share of the loss."""
        settings, split = self.settings, self.split
        positive, margin = split.train[batch], split.margin[batch].float()  # (B, 2), (B,)
        if settings.both_directions:
            positive, margin = torch.cat([positive, positive.flip(1)]), margin.repeat(2)
        negative = SAMPLERS[settings.sampler](split.graph, positive, settings.negatives, self.generator)  # (B, K, 2)
        own, share = self.processes.pairs.part(len(positive))
        drawn = positive[own], negative[own], margin[own]
        count = len(drawn[0])
        size = part_size(self.model, state, count, settings.negatives) if self.processes.size == 1 else count
        parts = zip(*(each.split(max(1, size)) for each in drawn), strict=True)
        return [partial(self._sampled_loss, share * len(part[0]) / max(1, count), *part) for part in parts]

    def _sampled_loss(self, share: float, positive: Tensor, negative: Tensor, margin: Tensor, state: Any) -> Tensor:
        """A share of the loss, of links and their negatives.  (B, 2), (B, K, 2), (B,) -> ()"""
        scores = self.model.trained_scores(state, torch.cat([positive, negative.flatten(0, 1)]))
        objective, count = OBJECTIVES[self.settings.objective], len(positive)
        losses = [objective(each[:count], each[count:].view(count, -1), margin) for each in scores]
        return share * sum(losses[1:], start=losses[0])

    def _set_rates(self) -> None:
        """Rates of this epoch."""
        share = 1.0
        if self.settings.schedule == "cosine":
            share = 0.5 * (1 + math.cos(math.pi * (self.epoch - 1) / self.settings.epochs))
        for group, rate in zip(self.optimizer.param_groups, _rates(self.settings), strict=True):
            group["lr"] = rate * share


def fit(
    model: LinkModel[Any, Any],
    split: Split,
    settings: TrainSettings,
    *,
    default_metric: str,
    seeds: Seeds,
    processes: Processes = SINGLE,
    on_epoch: Callable[[EpochRecord], None] = lambda _: None,
) -> Training:
    """Train ``model`` on ``split.train`` and leave the weights of the best validation epoch in it."""
    training = Training(model, split, settings, default_metric=default_metric, seeds=seeds, processes=processes)
    if not has_parameters(model):
        training.choose()
        return training
    training.offer()
    while not training.finished:
        on_epoch(training.run_epoch())
    training.restore_best()
    return training


def has_parameters(model: LinkModel[Any, Any]) -> bool:
    """Whether there is anything to learn."""
    return any(parameter.requires_grad for parameter in model.parameters())


def build_optimizer(model: LinkModel[Any, Any], settings: TrainSettings) -> torch.optim.Optimizer:
    """Adam or AdamW with a rate of its own for β and α, which are not decayed."""
    slow = model.slow_parameters()
    known = {id(parameter) for parameter in slow}
    rest = [each for each in model.parameters() if each.requires_grad and id(each) not in known]
    rate, beta_rate = _rates(settings)
    groups: list[dict[str, Any]] = [
        {"params": rest, "lr": rate, "weight_decay": settings.weight_decay},
        {"params": slow, "lr": beta_rate, "weight_decay": 0.0},
    ]
    return (torch.optim.AdamW if settings.decay == "decoupled" else torch.optim.Adam)(groups)


def _rates(settings: TrainSettings) -> tuple[float, float]:
    return settings.learning_rate, settings.beta_rate or settings.learning_rate


def _copy(model: LinkModel[Any, Any], into: dict[str, Tensor] | None = None) -> dict[str, Tensor]:
    """The weights as they are; in the place of others, wherever that is, if there are some."""
    if into is None:
        return {name: value.detach().clone() for name, value in model.state_dict().items()}
    return {name: into[name].copy_(value.detach()) for name, value in model.state_dict().items()}
