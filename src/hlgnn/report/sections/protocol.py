"""The protocol: what was held out, what it is ranked among, and what the metrics mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import facts, paragraph, section
from hlgnn.report.metrics import metric_meaning
from hlgnn.report.numbers import count, plural
from hlgnn.report.values import mapping, number, rows, text

if TYPE_CHECKING:
    from hlgnn.report.markup import Markup
    from hlgnn.report.values import Document

HARD = (
    "Hard negatives replace one end of a held-out link by a node that looks as if it belonged there; "
    "MRR among them is the stricter test."
)


def protocol(document: Document) -> Markup | None:
    """The section, or none if nothing is known."""
    found = mapping(document.get("protocol"))
    pairs = [
        ("Protocol", text(found.get("name"))),
        ("Links to learn from", _count(found, "train")),
        ("Held out to choose by", _count(found, "valid")),
        ("Held out to test with", _count(found, "test")),
        ("Negatives", _count(found, "negatives")),
    ]
    parts = [paragraph(text(found.get("description"))), facts(pairs), paragraph(_held_out(found))]
    if not any(parts):
        return None
    return section("protocol", "Protocol", *parts, paragraph(_meanings(document)))


def _held_out(found: Document) -> str:
    test, negatives = number(found.get("test")), number(found.get("negatives"))
    if test is None or negatives is None:
        return ""
    return (
        f"{plural(test, 'link')} {'was' if test == 1 else 'were'} hidden before anything was learned. A method is good "
        f"if it gives them higher scores than {plural(negatives, 'pair')} that {'is' if negatives == 1 else 'are'} "
        "not linked."
    )


def _meanings(document: Document) -> str:
    methods = rows(document.get("methods"))
    names = list(dict.fromkeys(text(method.get("metric")) for method in methods))
    names += ["auc"] if any(mapping(method.get("auc")) for method in methods) else []
    found = [metric_meaning(name) for name in dict.fromkeys(names)]
    hard = HARD if any(mapping(method.get("hard")) for method in methods) else ""
    return " ".join(sentence for sentence in [*found, hard] if sentence)


def _count(found: Document, key: str) -> str:
    value = number(found.get(key))
    return "" if value is None else count(value)
