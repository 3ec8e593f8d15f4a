"""The explanation of one link in plain words."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hlgnn.graph import NodeIds
    from hlgnn.interpret.explain_link import LinkExplanation

    Name = Callable[[int], str]

MOST = 5
BEFORE = {"dot": "the dot product", "cosine": "the cosine", "diagonal": "the weighted dot product"}


def link_text(found: LinkExplanation, node_ids: NodeIds, feature_names: Sequence[str] | None = None) -> str:
    """All parts of an explanation as short paragraphs, with labels of nodes and names of columns."""

    def name(node: int) -> str:
        return str(node_ids[node])

    def column(number: int) -> str:
        known = feature_names is not None and number < len(feature_names)
        return str(feature_names[number]) if known and feature_names is not None else f"column {number}"

    parts = [
        _head(found, name),
        _orders(found),
        _numbers(found),
        _witnesses(found, name),
        _paths(found, name),
        _features(found, column),
        _changes(found, name),
        ["Notes:", *(f"  {note}" for note in found.notes)],
    ]
    return "\n\n".join("\n".join(part) for part in parts if part)


def _head(found: LinkExplanation, name: Name) -> list[str]:
    facts = found.facts
    state = "are linked in the message graph" if facts.linked else "are not linked in the message graph"
    return [
        f"{name(found.first)} and {name(found.second)} {state}.",
        f"The model gives the link the logit {found.logit:.4g}; before its head ({found.head.kind}), "
        f"{BEFORE[found.orders.kind]} of both representations is {found.score:.4g}.",
        f"They have {facts.degree_first} and {facts.degree_second} neighbours, {facts.common_neighbours} of them in "
        f"common (resource allocation {facts.resource_allocation:.4g}).",
    ]


def _orders(found: LinkExplanation) -> list[str]:
    contributions = found.orders.contributions
    ranked = sorted(range(len(contributions)), key=lambda order: -abs(contributions[order]))[:MOST]
    lines = [f"Orders that add most to {found.score:+.4g}:"]
    lines += [f"  order {order}: {contributions[order]:+.4g}{_steps(order)}" for order in ranked]
    pushes = found.head.orders
    if pushes:
        strongest = max(range(len(pushes)), key=lambda order: abs(pushes[order]))
        lines.append(f"  Through the head, order {strongest} pushes the logit most: about {pushes[strongest]:+.3g}.")
    return lines


def _steps(order: int) -> str:
    if order == 0:
        return " (the nodes themselves)"
    return f" (walks of {'a single step' if order == 1 else f'up to {order} steps'})"


def _numbers(found: LinkExplanation) -> list[str]:
    pushing = [number for number in found.head.numbers if number.effect != 0]
    ranked = sorted(pushing, key=lambda number: -abs(number.effect))[:MOST]
    if not ranked:
        return []
    lines = [
        f"  {number.name}: {number.value:.4g}, on average {number.mean:.4g}; about {number.effect:+.3g}"
        for number in ranked
    ]
    return ["Numbers of the pair that push the logit, to first order:", *lines]


def _witnesses(found: LinkExplanation, name: Name) -> list[str]:
    if not found.witnesses:
        return ["No node carries the score."]
    lines = []
    for witness in found.witnesses[:MOST]:
        itself = " (an end itself)" if witness.node in {found.first, found.second} else ""
        share = f"{100 * abs(witness.share):.3g} %"
        side = "for" if witness.contribution > 0 else "against"
        lines.append(f"  {name(witness.node)}{itself}: {witness.contribution:+.4g}, {share} of all, {side} the link")
    return ["Nodes that carry most of it:", *lines]


def _paths(found: LinkExplanation, name: Name) -> list[str]:
    if not found.paths:
        return ["No short path joins them."]
    lines = [f"  {' – '.join(name(node) for node in path.nodes)} ({path.weight:.3g})" for path in found.paths[:MOST]]
    return ["Strongest paths between them:", *lines]


def _features(found: LinkExplanation, column: Name) -> list[str]:
    features = found.features
    if not features.columns:
        return [features.note]
    lines = [f"  {column(each.column)}: {each.agreement:+.4g}" for each in features.columns[:MOST]]
    what = "the cosine" if found.orders.kind == "cosine" else "the product"
    return [f"Features that agree or disagree most, of {what} {features.agreement:.4g}:", *lines, f"  {features.note}"]


def _changes(found: LinkExplanation, name: Name) -> list[str]:
    if not found.changes:
        return []
    lines = [
        f"  {name(change.first)} – {name(change.second)}: {change.before:.4g} → {change.after:.4g} "
        f"({change.difference:+.3g})"
        for change in found.changes[:MOST]
    ]
    return ["Known links without which the logit would change most:", *lines]
