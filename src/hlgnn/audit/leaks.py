"""Checks for what must not be: links that a model has seen, and negatives that are links."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.audit.finding import Finding, Verdict

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hlgnn.audit.subject import PartName, Subject

WORDS = {"train": "training", "valid": "validation", "test": "test"}


def held_out_links_in_messages(subject: Subject) -> Iterator[Finding]:
    """Validation and test links, in either direction, among the edges that carry messages."""
    seen_by: list[tuple[PartName, PartName]] = [
        ("valid", "train"),
        ("valid", "valid"),
        ("test", "train"),
        ("test", "valid"),
        ("test", "test"),
    ]
    for held_out, when in seen_by:
        check = f"{WORDS[held_out]} links in the {WORDS[when]} messages"
        found = torch.isin(subject.positive_codes[held_out], subject.message_codes[when])
        yield _finding(
            subject,
            check,
            subject.parts[held_out].positive[found],
            f"of {len(found)} {WORDS[held_out]} links carry messages when the {WORDS[when]} links are predicted.",
            f"None of {len(found)} does.",
        )


def validation_links_at_test(subject: Subject) -> Iterator[Finding]:
    """Validation links among the messages at test: a choice that belongs to the protocol."""
    check = "validation links in the test messages"
    found = torch.isin(subject.positive_codes["valid"], subject.message_codes["test"])
    count, total = int(found.sum()), len(found)
    said = f"{count} of {total} validation links carry messages at test"
    if subject.valid_links_at_test is None:
        verdict = Verdict.NOTICE if count else Verdict.CLEAN
        yield Finding(
            check, verdict, f"{said}: compare only with numbers made the same way." if count else f"{said}.", count
        )
    elif count == (total if subject.valid_links_at_test else 0):
        yield Finding(check, Verdict.CLEAN, f"{said}, as the protocol says.", count)
    else:
        wanted = "all" if subject.valid_links_at_test else "none"
        verdict = Verdict.NOTICE if subject.valid_links_at_test else Verdict.LEAK
        yield Finding(check, verdict, f"{said}; the protocol says {wanted} of them do.", count)


def links_in_two_parts(subject: Subject) -> Iterator[Finding]:
    """Links that are to be predicted in one part and were already in another."""
    pairs: list[tuple[PartName, PartName]] = [("valid", "train"), ("test", "train"), ("test", "valid")]
    for later, earlier in pairs:
        found = torch.isin(subject.positive_codes[later], subject.positive_codes[earlier])
        yield _finding(
            subject,
            f"{WORDS[later]} links among {WORDS[earlier]} links",
            subject.parts[later].positive[found],
            f"of {len(found)} {WORDS[later]} links are {WORDS[earlier]} links too.",
            f"None of {len(found)} is.",
        )


def negatives_that_are_links(subject: Subject) -> Iterator[Finding]:
    """Validation and test negatives that are a positive or a message edge of any part."""
    positive = torch.cat(list(subject.positive_codes.values()))
    known = torch.cat([positive, *subject.message_codes.values()]).unique()
    names: tuple[PartName, ...] = ("valid", "test")
    for name in names:
        pairs = subject.parts[name].negative_pairs
        found = torch.isin(subject.codes(pairs), known)
        yield _finding(
            subject,
            f"{WORDS[name]} negatives that are links",
            pairs[found],
            f"of {len(pairs)} {WORDS[name]} negatives are links of some part.",
            f"None of {len(pairs)} is.",
        )


def empty_parts(subject: Subject) -> Iterator[Finding]:
    """Parts without links: with nothing to select by, selection would read the test links."""
    names: tuple[PartName, ...] = ("valid", "test")
    for name in names:
        size = len(subject.parts[name].positive)
        if size:
            yield Finding(f"{WORDS[name]} links", Verdict.CLEAN, f"There are {size}.", size)
        else:
            what = "selection would have to read the test links" if name == "valid" else "nothing can be reported"
            yield Finding(f"{WORDS[name]} links", Verdict.LEAK, f"There are no {WORDS[name]} links: {what}.")


def _finding(subject: Subject, check: str, found: Tensor, leak: str, clean: str) -> Finding:
    if len(found) == 0:
        return Finding(check, Verdict.CLEAN, clean)
    return Finding(check, Verdict.LEAK, f"{len(found)} {leak}", len(found), subject.examples(found))
