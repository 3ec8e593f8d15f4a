"""Checks that weights sit on the edges that they belong to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.audit.finding import Finding, Verdict
from hlgnn.audit.leaks import WORDS

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hlgnn.audit.subject import Subject

CHECK = "weights on their edges"


def misplaced_weights(subject: Subject) -> Iterator[Finding]:
    """Weights that differ between the two directions of a link, from the training links, or from the true weights."""
    weighted = False
    for name, part in subject.parts.items():
        if part.weight is None:
            continue
        weighted = True
        place = f"{CHECK} ({WORDS[name]} messages)"
        if len(part.weight) != len(part.messages):
            message = f"There are {len(part.messages)} edges, but {len(part.weight)} weights."
            yield Finding(place, Verdict.LEAK, message, abs(len(part.messages) - len(part.weight)))
            continue
        yield _directions(subject, place, part.messages, part.weight)
        if subject.reference is not None and not (name == "test" and subject.valid_links_at_test):
            # With validation links a repeated link may weigh more than in the graph of the training links.
            yield _against(subject, place, part.messages, part.weight, *subject.reference, "their true weight")
    train = subject.parts["train"]
    if train.positive_weight is not None and train.weight is not None and len(train.weight) == len(train.messages):
        yield _against(
            subject,
            f"{CHECK} (training links)",
            train.positive.sort(dim=1).values,  # repeats add up whichever way round they are written
            train.positive_weight,
            train.messages,
            train.weight,
            "the weight of the same message edge",
        )
    if not weighted:
        yield Finding(CHECK, Verdict.CLEAN, "The links have no weights.")


def _directions(subject: Subject, check: str, edges: Tensor, weight: Tensor) -> Finding:
    """Compare the total weight of (i, j) with that of (j, i) where both are there."""
    forward, forward_sum = _totals(edges, weight, subject.num_nodes)
    inverse, inverse_sum = _totals(edges.flip(1), weight, subject.num_nodes)
    both = torch.isin(forward, inverse)
    other = inverse_sum[torch.isin(inverse, forward)]
    wrong = ~torch.isclose(forward_sum[both], other)
    codes = forward[both][wrong]
    pairs = torch.stack([codes // subject.num_nodes, codes % subject.num_nodes], dim=1)
    pairs = pairs[pairs[:, 0] < pairs[:, 1]]
    if len(pairs):
        message = f"{len(pairs)} links have another weight in one direction than in the other."
        return Finding(check, Verdict.LEAK, message, len(pairs), subject.examples(pairs))
    return Finding(check, Verdict.CLEAN, "Both directions of every link have the same weight.")


def _against(
    subject: Subject, check: str, edges: Tensor, weight: Tensor, known: Tensor, known_weight: Tensor, what: str
) -> Finding:
    """Compare the weight of each edge with what is known about the same link in either direction."""
    truth, true_weight = _undirected(known, known_weight, subject)
    codes, given = _undirected(edges, weight, subject)
    position = torch.searchsorted(truth, codes).clamp(max=max(0, len(truth) - 1))
    shared = truth[position] == codes if len(truth) else torch.zeros(len(codes), dtype=torch.bool)
    wrong = codes[shared][~torch.isclose(given[shared], true_weight[position[shared]])]
    if len(wrong):
        pairs = torch.stack([wrong // subject.num_nodes, wrong % subject.num_nodes], dim=1)
        message = f"{len(wrong)} of {int(shared.sum())} links do not have {what}."
        return Finding(check, Verdict.LEAK, message, len(wrong), subject.examples(pairs))
    return Finding(check, Verdict.CLEAN, f"All {int(shared.sum())} weights that can be compared are {what}.")


def _totals(edges: Tensor, weight: Tensor, num_nodes: int) -> tuple[Tensor, Tensor]:
    """Each directed pair once, ascending, with its total weight."""
    codes, row = (edges[:, 0].long() * num_nodes + edges[:, 1].long()).unique(return_inverse=True)
    return codes, torch.zeros(len(codes), dtype=torch.float64).index_add_(0, row, weight.double())


def _undirected(edges: Tensor, weight: Tensor, subject: Subject) -> tuple[Tensor, Tensor]:
    """Each link once, ascending, with the larger of the total weights of its two directions."""
    directed, total = _totals(edges, weight, subject.num_nodes)
    pairs = torch.stack([directed // subject.num_nodes, directed % subject.num_nodes], dim=1)
    codes, row = subject.codes(pairs).unique(return_inverse=True)
    larger = torch.full((len(codes),), -torch.inf, dtype=torch.float64)
    return codes, larger.scatter_reduce_(0, row, total, "amax")
