"""Why a trained model gives one link its score: orders, witnesses, paths, features, and links that it hangs on."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.errors import SettingsError
from hlgnn.interpret.link_changes import LinkChange, link_changes
from hlgnn.interpret.link_encoder import LinkEncoder, link_encoder, link_ends
from hlgnn.interpret.link_features import LinkFeatures, link_features
from hlgnn.interpret.link_head import LinkHead, link_head
from hlgnn.interpret.link_numbers import PairFacts, pair_facts
from hlgnn.interpret.link_orders import LinkOrders, link_orders, order_parts
from hlgnn.interpret.link_paths import LONGEST, LinkPath, strongest_paths
from hlgnn.interpret.link_text import link_text
from hlgnn.interpret.link_witnesses import Witness, link_witnesses
from hlgnn.progress import Progress, silent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.graph import Graph, NodeIds
    from hlgnn.models import LinkModel


@dataclass(frozen=True)
class LinkExplanation:
    """Everything about one link; nodes and columns are numbers until ``text`` or ``to_dict`` are given their names.

    Attributes:
        first: i.
        second: j.
        facts: Degrees and common neighbours.
        orders: What each order adds to the score before the head, exactly.
        head: The logit, and approximations of what it was pushed by.
        witnesses: The nodes that carry most of the score before the head, exactly; the ends may be among them.
        paths: The strongest paths between the ends.
        features: The columns of the features that the ends agree in, exactly.
        changes: Known links, by how much the logit changes without each.
        notes: What is to be known about these numbers.
    """

    first: int
    second: int
    facts: PairFacts
    orders: LinkOrders
    head: LinkHead
    witnesses: tuple[Witness, ...]
    paths: tuple[LinkPath, ...]
    features: LinkFeatures
    changes: tuple[LinkChange, ...]
    notes: tuple[str, ...]

    @property
    def score(self) -> float:
        """The score before the head."""
        return self.orders.score

    @property
    def logit(self) -> float:
        """What pairs are ranked by."""
        return self.head.logit

    def text(self, node_ids: NodeIds, feature_names: Sequence[str] | None = None) -> str:
        """For a person, with the labels of nodes and, if there are any, the names of columns."""
        return link_text(self, node_ids, feature_names)

    def to_dict(self) -> dict[str, Any]:
        """For a program; nodes and columns by their numbers."""
        return {
            "first": self.first,
            "second": self.second,
            "score": self.score,
            "logit": self.logit,
            "facts": asdict(self.facts),
            "orders": self.orders.to_dict(),
            "head": self.head.to_dict(),
            "witnesses": [each.to_dict() for each in self.witnesses],
            "paths": [each.to_dict() for each in self.paths],
            "features": self.features.to_dict(),
            "changes": [each.to_dict() for each in self.changes],
            "notes": list(self.notes),
        }


def explain_link(
    model: LinkModel[Any, Any],
    graph: Graph,
    first: int,
    second: int,
    *,
    witnesses: int = 10,
    paths: int = 10,
    path_length: int = LONGEST,
    features: int = 10,
    changes: int = 50,
    encoder: LinkEncoder | None = None,
    progress: Progress = silent,
) -> LinkExplanation:
    """Take the score of one link apart (Sect. 5.4, for a link instead of a model).

    All is computed in double precision from two rows of H (Proposition 4.1). What takes long is the removal of links:
    L products of two columns for each, and for a mixture of operators its bound on the graph without the link as well.

    Args:
        model: A trained HL-GNN, or a head on a fixed formulation.
        graph: The message graph. A link that is to be explained as a prediction is none of its links.
        first: i, by its number.
        second: j.
        witnesses: How many nodes are named.
        paths: How many paths are named.
        path_length: How many steps paths have at most, up to 4.
        features: How many columns are named.
        changes: How many known links are removed, one at a time; 0 for none, the part that takes longest.
        encoder: ``link_encoder(model, graph)``, which links that are explained one after the other can share.
        progress: Told about each removal.

    Raises:
        SettingsError: If the nodes are one or unknown, if a count is negative, or if the model is not linear.

    Example:
        >>> import torch
        >>> from hlgnn.graph import karate_club
        >>> from hlgnn.models import HLGNN, HeadSettings, HLGNNSettings, InputSettings, PropagationSettings
        >>> settings = HLGNNSettings(
        ...     input=InputSettings(source="embedding", embedding_width=4, hidden=0),
        ...     propagation=PropagationSettings(depth=2),
        ...     head=HeadSettings(kind="dot"),
        ... )
        >>> model = HLGNN(karate_club(), settings, torch.Generator().manual_seed(0))
        >>> found = explain_link(model, karate_club(), 14, 15, changes=3)
        >>> abs(sum(found.orders.contributions) - found.logit) < 1e-12
        True
        >>> [path.nodes for path in found.paths[:2]]
        [(14, 32, 15), (14, 33, 15)]
    """
    _check(graph, first, second, {"witnesses": witnesses, "paths": paths, "features": features, "changes": changes})
    if encoder is None:
        encoder = link_encoder(model, graph)
    ends, parts = link_ends(encoder, first, second), order_parts(encoder, first, second)
    carriers = link_witnesses(encoder, ends, witnesses)
    ways = strongest_paths(encoder.formulation, graph, first, second, count=paths, longest=path_length)
    near = {witness.node for witness in carriers} | {node for way in ways for node in way.nodes}
    removed = link_changes(encoder, ends, first, second, near, count=changes, progress=progress) if changes else ()
    facts = pair_facts(graph, first, second)
    return LinkExplanation(
        first=first,
        second=second,
        facts=facts,
        orders=link_orders(encoder, ends, parts),
        head=link_head(encoder, ends.z, parts, first, second),
        witnesses=carriers,
        paths=ways,
        features=link_features(encoder, ends, features),
        changes=removed,
        notes=_notes(encoder, linked=facts.linked),
    )


def _check(graph: Graph, first: int, second: int, counts: dict[str, int]) -> None:
    for node in (first, second):
        if not 0 <= node < graph.num_nodes:
            raise SettingsError(f"There is no node {node} among 0 … {graph.num_nodes - 1}.", where="link")
    if first == second:
        raise SettingsError("A node has no link with itself.", where="link", hint="Name two nodes.")
    for name, count in counts.items():
        if count < 0:
            raise SettingsError(f"{count} cannot be named.", where=name, hint="Give zero or more.")


def _notes(encoder: LinkEncoder, *, linked: bool) -> tuple[str, ...]:
    what = {
        "dot": "Orders, witnesses and columns add up to the dot product of both representations.",
        "cosine": "Orders, witnesses and columns add up to the cosine: products are divided by both lengths.",
        "diagonal": "Orders, witnesses and columns add up to the dot product with the weights of the head, "
        "without its shift.",
    }[encoder.kind]
    notes = [what]
    if linked:
        notes.append("The link is known to the message graph, so it is evidence for itself.")
    if encoder.input.bias is not None:
        notes.append("The bias of the linear layer is propagated like a feature that all nodes have.")
    if encoder.centre:
        notes.append("Representations have the mean zero over all nodes: rows of H are measured from their mean.")
    if encoder.model.settings.head.kind in {"mlp", "residual"}:
        notes.append("What pushes the logit of a perceptron is given to first order, which is an approximation.")
    return tuple(notes)
