"""Checks for what makes numbers hard to compare or to believe, without being a leak."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.audit.finding import Finding, Verdict
from hlgnn.audit.leaks import WORDS
from hlgnn.audit.subject import PART_NAMES
from hlgnn.evaluation import metric as find_metric

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hlgnn.audit.subject import PartName, Subject

HELD_OUT: tuple[PartName, ...] = ("valid", "test")
LOOSE_RATE = 0.10
"""Above this false-positive rate Hits@K says little about the top of a ranking."""


def repeats_and_loops(subject: Subject) -> Iterator[Finding]:
    """Positives that are listed twice, in either direction, or that join a node with itself."""
    for name in PART_NAMES:
        codes, pairs = subject.positive_codes[name], subject.parts[name].positive
        loops = int((pairs[:, 0] == pairs[:, 1]).sum())
        repeats = len(codes) - len(codes.unique())
        verdict = Verdict.NOTICE if loops or repeats else Verdict.CLEAN
        message = f"{repeats} repeats and {loops} self-loops among {len(pairs)}."
        yield Finding(f"repeats among {WORDS[name]} links", verdict, message, loops + repeats)


def loops_among_negatives(subject: Subject) -> Iterator[Finding]:
    """Negatives that join a node with itself, which any model can tell."""
    for name in HELD_OUT:
        pairs = subject.parts[name].negative_pairs
        loops = int((pairs[:, 0] == pairs[:, 1]).sum())
        verdict = Verdict.NOTICE if loops else Verdict.CLEAN
        yield Finding(
            f"self-loops among {WORDS[name]} negatives", verdict, f"{loops} of {len(pairs)} are self-loops.", loops
        )


def repeated_negatives(subject: Subject) -> Iterator[Finding]:
    """Negatives that are listed twice, for the same positive or for all, or both in validation and in testing."""
    for name in HELD_OUT:
        part, check = subject.parts[name], f"repeats among {WORDS[name]} negatives"
        codes = subject.codes(part.negative_pairs)
        if part.negative is not None and part.negative.ndim == 3:
            ordered = codes.view(part.negative.shape[:-1]).sort(dim=1).values  # (P, K)
            repeats = int((ordered[:, 1:] == ordered[:, :-1]).sum())
        else:
            repeats = len(codes) - len(codes.unique())
        verdict = Verdict.NOTICE if repeats else Verdict.CLEAN
        yield Finding(check, verdict, f"{repeats} repeats among {len(codes)}.", repeats)
    valid, test = (subject.parts[name] for name in HELD_OUT)
    if valid.negative is not None and test.negative is not None and valid.negative.ndim == test.negative.ndim == 2:
        shared = int(torch.isin(subject.codes(test.negative_pairs), subject.codes(valid.negative_pairs)).sum())
        verdict = Verdict.NOTICE if shared else Verdict.CLEAN
        message = f"{shared} of {len(test.negative)} were already ranked in validation."
        yield Finding("test negatives among validation negatives", verdict, message, shared)


def one_sided_negatives(subject: Subject) -> Iterator[Finding]:
    """Negatives that replace only one end of the positives.

    Own negatives: all keep one end of their positive, and it is always the same one. Shared negatives: one column
    holds only ends of positives (99.9 %), while the other one does not (below 95 %).
    """
    for name in HELD_OUT:
        part, check = subject.parts[name], f"sides of {WORDS[name]} negatives"
        if part.negative is None or len(part.negative_pairs) < 20:
            yield Finding(check, Verdict.CLEAN, "There are too few negatives to tell.")
            continue
        kept = (
            _own_sides(part.positive, part.negative)
            if part.negative.ndim == 3
            else _shared_sides(part.positive, part.negative, subject.num_nodes)
        )
        if kept is None:
            yield Finding(check, Verdict.CLEAN, "Both ends are replaced.")
        else:
            message = f"All negatives keep the {kept} of a link: they test only half of the ranking."
            yield Finding(check, Verdict.NOTICE, message, len(part.negative_pairs))


def orientation(subject: Subject) -> Iterator[Finding]:
    """Whether the order of the two nodes within a pair tells links from negatives."""
    for name in HELD_OUT:
        part, check = subject.parts[name], f"order within {WORDS[name]} pairs"
        if len(part.positive) == 0 or len(part.negative_pairs) == 0:
            yield Finding(check, Verdict.CLEAN, "There is nothing to compare.")
            continue
        links, others = _ascending_share(part.positive), _ascending_share(part.negative_pairs)
        message = f"Smaller node first: {links:.0%} of links, {others:.0%} of negatives."
        differ = abs(links - others) > 0.25
        if differ:
            message += " A model that is not symmetric can tell them apart by that."
        yield Finding(check, Verdict.NOTICE if differ else Verdict.CLEAN, message)


def meaning_of_the_metric(subject: Subject) -> Iterator[Finding]:
    """Whether the number of negatives leaves the metric a meaning."""
    if subject.metric is None or not subject.metric.startswith("hits@"):
        message = f"{subject.metric} does not depend on K." if subject.metric else "No metric was named."
        yield Finding("negatives for the metric", Verdict.CLEAN, message)
        return
    k = find_metric(subject.metric).least_negatives
    for name in HELD_OUT:
        negative, check = subject.parts[name].negative, f"{WORDS[name]} negatives for {subject.metric}"
        count = 0 if negative is None else negative.shape[-2]
        if count < k:
            message = f"There are {count} negatives: with fewer than {k} every score gives 100 %."
            yield Finding(check, Verdict.LEAK, message, count)
            continue
        rate = k / count
        message = f"K = {k} of {count} negatives stands for a false-positive rate of {rate:.1%}."
        yield Finding(check, Verdict.NOTICE if rate > LOOSE_RATE else Verdict.CLEAN, message, count)


def _own_sides(positive: Tensor, negative: Tensor) -> str | None:
    """Which end of its positive every own negative keeps, if it is always the same one.  (P, 2), (P, K, 2)"""
    first = (negative == positive[:, None, :1]).any(dim=-1).all()
    second = (negative == positive[:, None, 1:]).any(dim=-1).all()
    if bool(first) == bool(second):
        return None
    return "source" if first else "target"


def _shared_sides(positive: Tensor, negative: Tensor, num_nodes: int) -> str | None:
    """Which column of shared negatives holds ends of positives only, if the other one does not.  (P, 2), (Q, 2)"""
    is_end = positive.new_zeros(num_nodes).bool()
    is_end[positive.flatten().long()] = True
    first, second = is_end[negative.long()].double().mean(dim=0).tolist()
    for kept, other, word in [(first, second, "source"), (second, first, "target")]:
        if kept >= 0.999 and other < 0.95:
            return word
    return None


def _ascending_share(pairs: Tensor) -> float:
    return float((pairs[:, 0] < pairs[:, 1]).double().mean())
