"""What was learned, as a formula, as a known heuristic, in words and as a picture."""

from __future__ import annotations

from hlgnn.report.blocks import beside, bullets, code, figure, paragraph, section, stack
from hlgnn.report.charts import stem_chart
from hlgnn.report.markup import Markup, element, join
from hlgnn.report.numbers import decimal, significant
from hlgnn.report.values import Document, mapping, number, text, texts

CAPTION = (
    "The weight of each order (Eq. 2). Blue stems count for a link, orange ones below zero count against it. "
    "Order 0 is the nodes themselves."
)


def learned(document: Document) -> Markup | None:
    """The section, or none if nothing was learned."""
    found = mapping(document.get("learned"))
    return section(
        "learned",
        "The learned heuristic",
        code(text(found.get("formula")), "Formula of the learned heuristic"),
        beside(
            stack(_nearest(mapping(found.get("nearest"))), bullets(texts(found.get("sentences")))),
            _stems(found.get("betas")),
        ),
    )


def _nearest(found: Document) -> Markup | None:
    title, request = text(found.get("title")), text(found.get("request"))
    fit = number(found.get("r_squared"))
    if not title and not request:
        return None
    parts = [join("Nearest classic heuristic: ", element("strong", title or request))]
    parts += [join(" (", element("code", request), ")")] if title and request else []
    parts += [join(f", which explains its scores with R² = {decimal(fit)}")] if fit is not None else []
    return paragraph(join(*parts, "."))


def _stems(value: object) -> Markup | None:
    listed = value if isinstance(value, list | tuple) else []
    betas = [beta for each in listed if (beta := number(each)) is not None]
    if not betas or len(betas) != len(listed):
        return None
    largest = max(range(len(betas)), key=lambda order: abs(betas[order]))
    title = (
        f"Weights of orders 0 to {len(betas) - 1}; order {largest} has the largest, {significant(betas[largest], 3)}"
    )
    return figure(stem_chart(betas, title), CAPTION)
