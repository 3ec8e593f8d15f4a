"""The best candidates, with what speaks for each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.blocks import Column, bullets, folded, identifier, paragraph, row, section, table
from hlgnn.report.numbers import MISSING, percent, score
from hlgnn.report.values import number, rows, text, texts

if TYPE_CHECKING:
    from hlgnn.report.markup import Markup
    from hlgnn.report.values import Document

SHOWN = 20
COLUMNS = (
    Column("Rank", "number"),
    Column("Source", "id"),
    Column("Target", "id"),
    Column("Score", "number"),
    Column("Chance", "number"),
    Column("Reasons", "words"),
)


def links(document: Document) -> Markup | None:
    """The section, or none if there are no candidates; long lists are folded behind the first rows."""
    body = [_row(link) for link in rows(document.get("links"))]
    if not body:
        return None
    first, others = body[:SHOWN], body[SHOWN:]
    remarks = (paragraph(_ranked_by(document)), paragraph(text(document.get("links_note")), "quiet"))
    caption = "Pairs that are not linked, the most likely first."
    more = folded(f"{len(others)} more", table("Further pairs.", COLUMNS, others, "links")) if others else None
    return section("links", "Best links with reasons", *remarks, table(caption, COLUMNS, first, "links"), more)


def _ranked_by(document: Document) -> str:
    """What ranked the pairs, if it is known."""
    titles = {text(method.get("name")): text(method.get("title")) for method in rows(document.get("methods"))}
    used = text(document.get("used"))
    return f"Ranked by: {titles.get(used) or used}." if used else ""


def _row(link: Document) -> Markup:
    ends = [identifier(text(link.get(key)) or MISSING) for key in ("source", "target")]
    probability = number(link.get("probability"))
    rank = text(link.get("rank")) or MISSING
    reasons = bullets(texts(link.get("reasons"))) or MISSING
    return row(COLUMNS, [rank, *ends, score(number(link.get("score"))), percent(probability), reasons])
