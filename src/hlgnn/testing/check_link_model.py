"""The contract of ``LinkModel`` as laws, each of which says what is broken."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import safetensors.torch
import tomli_w
import torch
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits

from hlgnn.errors import ContractError
from hlgnn.registry import Registry
from hlgnn.settings import Settings, parse_settings
from hlgnn.testing.toy_graph import relabelled, toy_graph

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hlgnn.graph import Graph
    from hlgnn.models import LinkModel, ModelCard

STEPS, RATE = 30, 0.01
TOLERANCE = 1e-4


@dataclass(frozen=True, eq=False)
class Case:
    """What the laws are tried on.

    Attributes:
        card: The method.
        settings: Its settings.
        graph: A small graph with features and isolated nodes.
    """

    card: ModelCard
    settings: Settings
    graph: Graph

    def model(self, graph: Graph | None = None) -> LinkModel[Any, Any]:
        """A fresh model in evaluation mode; the same first weights every time."""
        built = self.card.build(graph or self.graph, self.settings, torch.Generator().manual_seed(0))
        return built.eval()

    @property
    def pairs(self) -> Tensor:
        """Links, pairs that are none, pairs with isolated nodes, and a repeated one.  (P, 2)"""
        generator = torch.Generator().manual_seed(1)
        drawn = torch.randint(self.graph.num_nodes, (40, 2), generator=generator)
        drawn = drawn[drawn[:, 0] != drawn[:, 1]]
        last = self.graph.num_nodes - 1
        odd = torch.tensor([[0, last], [last - 1, last], [0, last]])
        return torch.cat([self.graph.links[:20], drawn, odd])


def check_link_model(
    card: ModelCard, settings: Settings | None = None, *, exempt: Mapping[str, str] | None = None
) -> tuple[str, ...]:
    """Try every law on a method; the names of those that hold.

    Args:
        card: The method.
        settings: Its settings; those it comes with if not given. Small ones make this quick.
        exempt: Laws that do not apply, by name, each with the reason.

    Raises:
        ContractError: If a law is broken, or an exemption names no law or has no reason.

    Example:
        >>> from hlgnn.catalog import MODELS
        >>> "symmetry" in check_link_model(MODELS["cn"])
        True
    """
    left_out = dict(exempt or {})
    for name, reason in left_out.items():
        if name not in LAWS:
            raise LAWS.unknown(name)
        if not reason.strip():
            raise ContractError("An exemption needs a reason.", where=name)
    names = [name for name in LAWS if name not in left_out]
    for name in names:
        check_law(name, card, settings)
    return tuple(names)


def check_law(name: str, card: ModelCard, settings: Settings | None = None) -> None:
    """Try one law on a method.

    Raises:
        ContractError: If it is broken.
    """
    LAWS[name](Case(card, settings or card.settings(), toy_graph()))


def _scores(model: LinkModel[Any, Any], graph: Graph, pairs: Tensor) -> Tensor:
    with torch.no_grad():
        return model.score(model.encode(model.prepare(graph)), pairs)


def _shape(case: Case) -> None:
    scores = _scores(case.model(), case.graph, case.pairs)
    _require(scores.shape == (len(case.pairs),), case, f"The scores of P pairs have the shape {tuple(scores.shape)}.")
    _require(scores.is_floating_point(), case, f"Scores are {scores.dtype}.")
    _require(bool(scores.isfinite().all()), case, "A score is infinite or no number (are isolated nodes the cause?).")
    none = _scores(case.model(), case.graph, case.pairs[:0])
    _require(none.shape == (0,), case, f"The scores of no pairs have the shape {tuple(none.shape)}.")


def _order(case: Case) -> None:
    model, pairs = case.model(), case.pairs
    order = torch.randperm(len(pairs), generator=torch.Generator().manual_seed(2))
    first, second = _scores(model, case.graph, pairs), _scores(model, case.graph, pairs[order])
    _require(_close(first[order], second), case, "Scores depend on the order of the pairs.")


def _batches(case: Case) -> None:
    model, pairs = case.model(), case.pairs
    whole = _scores(model, case.graph, pairs)
    parts = torch.cat([_scores(model, case.graph, batch) for batch in pairs.split(7)])
    _require(_close(whole, parts), case, "Scores depend on which pairs are scored together.")
    repeated = (pairs[:, None] == pairs).all(dim=2).nonzero()
    equal = _close(whole[repeated[:, 0]], whole[repeated[:, 1]])
    _require(equal, case, "A pair that stands twice has two scores.")


def _determinism(case: Case) -> None:
    first, second = (_scores(case.model(), case.graph, case.pairs) for _ in range(2))
    _require(bool(torch.equal(first, second)), case, "Two models from the same seed score differently in evaluation.")
    model = case.model()
    again = [_scores(model, case.graph, case.pairs) for _ in range(2)]
    _require(bool(torch.equal(*again)), case, "Scores change when they are asked for again in evaluation.")


def _symmetry(case: Case) -> None:
    if not case.card.symmetric:
        return
    model, pairs = case.model(), case.pairs
    both = _scores(model, case.graph, pairs), _scores(model, case.graph, pairs.flip(1))
    _require(_close(*both), case, "s(i, j) is not s(j, i): say symmetric=False, or mend it.")


def _relabelling(case: Case) -> None:
    if case.card.by_place:
        return
    graph, model = case.graph, case.model()
    order = torch.randperm(graph.num_nodes, generator=torch.Generator().manual_seed(3))
    place = torch.empty_like(order)
    place[order] = torch.arange(len(order))
    both = _scores(model, graph, case.pairs), _scores(model, relabelled(graph, order), place[case.pairs])
    _require(_close(*both), case, "Scores depend on how nodes are numbered: say by_place=True, or mend it.")


def _several_graphs(case: Case) -> None:
    graph, model, pairs = case.graph, case.model(), case.pairs
    other = graph.without_links(graph.links[::3])
    with torch.no_grad():
        states = [model.encode(model.prepare(each)) for each in (graph, other)]
        together = [model.score(state, pairs) for state in states]
    apart = [_scores(model, each, pairs) for each in (graph, other)]
    kept = all(_close(*both) for both in zip(together, apart, strict=True))
    _require(kept, case, "The model keeps something of the graph that it saw last: prepare must give back all of it.")


def _hidden_target(case: Case) -> None:
    if not case.card.hides_target:
        return
    first = case.graph.links[:1]
    others = case.graph.without_links(first)
    scores = []
    for graph in (case.graph, others):
        model = case.model().train()
        model.prepare(graph)  # whatever is learned before training is learned from the same graph
        model.load_state_dict(case.model().state_dict(), strict=False)
        with torch.no_grad():
            scores.append(model.score(model.encode(model.prepare(graph)), first))
    _require(_close(*scores), case, "In training, the score of a pair depends on whether it is a link of the graph.")


def _gradients(case: Case) -> None:
    model = case.model().train()
    if _learns(model):
        _loss(model, case).backward()
    silent = [name for name, each in model.named_parameters() if each.requires_grad and each.grad is None]
    _require(not silent, case, f"Parameters without a gradient: {', '.join(silent)}.")


def _learning(case: Case) -> None:
    model = case.model().train()
    if not _learns(model):
        return
    optimizer = torch.optim.Adam([each for each in model.parameters() if each.requires_grad], lr=RATE)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        loss = _loss(model, case)
        loss.backward()
        optimizer.step()
        losses.append(loss.item())
    third = len(losses) // 3
    fell = sum(losses[-third:]) < sum(losses[:third])
    _require(fell, case, f"{STEPS} steps do not lower the loss: {losses[0]:.3f}, then {losses[-1]:.3f}.")


def _saving(case: Case) -> None:
    model = case.model().train()
    if _learns(model):
        _loss(model, case).backward()
        with torch.no_grad():
            for parameter in model.parameters():
                if parameter.grad is not None:
                    parameter.sub_(RATE * parameter.grad)
    model.eval()
    before = _scores(model, case.graph, case.pairs)
    stored = safetensors.torch.save({name: each.contiguous().clone() for name, each in model.state_dict().items()})
    loaded = case.model()
    loaded.load_state_dict(safetensors.torch.load(stored))
    _require(_close(before, _scores(loaded, case.graph, case.pairs)), case, "A loaded model scores differently.")


def _settings(case: Case) -> None:
    text = tomli_w.dumps(case.settings.model_dump(mode="json", exclude_none=True))
    again = parse_settings(case.card.settings, tomllib.loads(text))
    _require(again == case.settings, case, "Settings change when they are written to TOML and read again.")


def _loss(model: LinkModel[Any, Any], case: Case) -> Tensor:
    links = case.graph.links
    drawn = torch.randint(case.graph.num_nodes, (len(links), 2), generator=torch.Generator().manual_seed(4))
    negative = drawn[(drawn[:, 0] != drawn[:, 1]) & ~case.graph.has_links(drawn)]
    scores = model.score(model.encode(model.prepare(case.graph)), torch.cat([links, negative]))
    labels = torch.cat([torch.ones(len(links)), torch.zeros(len(negative))])
    return binary_cross_entropy_with_logits(scores, labels)


def _learns(model: LinkModel[Any, Any]) -> bool:
    return any(each.requires_grad for each in model.parameters())


def _close(left: Tensor, right: Tensor) -> bool:
    scale = max(1.0, float(right.abs().max())) if len(right) else 1.0
    return left.shape == right.shape and bool(((left - right).abs() <= TOLERANCE * scale).all())


def _require(holds: bool, case: Case, otherwise: str) -> None:  # noqa: FBT001 - it reads as a sentence
    if not holds:
        raise ContractError(otherwise, where=case.card.name)


LAWS: Registry[Callable[[Case], None]] = Registry(
    "law",
    {
        "shape": _shape,
        "order-of-pairs": _order,
        "batches": _batches,
        "determinism": _determinism,
        "symmetry": _symmetry,
        "relabelling": _relabelling,
        "several-graphs": _several_graphs,
        "hidden-target": _hidden_target,
        "gradients": _gradients,
        "learning": _learning,
        "saving": _saving,
        "settings": _settings,
    },
)
"""Every law by name; each raises ``ContractError`` where it is broken."""
