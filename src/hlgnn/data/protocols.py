"""The named protocols: how links are cut into parts, what may carry messages, and what a link is ranked among.

No number means anything without its protocol: the fractions alone move Hits@100 on Cora by ten points.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import torch

from hlgnn.data.cuts import Cut, random_cut, time_cut
from hlgnn.data.hard_negatives import heart
from hlgnn.data.negatives import degree_matched, uniform
from hlgnn.data.split import LinkSet, Split
from hlgnn.errors import SettingsError, SplitError
from hlgnn.progress import Progress, silent
from hlgnn.registry import Registry
from hlgnn.seeds import Seeds

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.data.dataset import Dataset
    from hlgnn.graph import Graph

Negatives = Literal["uniform", "degree-matched", "heart"]
NEGATIVES: tuple[Negatives, ...] = get_args(Negatives)
CUTS = ("random", "official", "time")


@dataclass(frozen=True)
class Protocol:
    """How a data set becomes a split.

    Attributes:
        name: How it is asked for, and what every result made under it carries.
        description: What it does and who reports under it, in a sentence.
        cut: Whether parts are drawn at random, prescribed by the benchmark, or made by the time of each link.
        valid: The share of links for validation.
        test: The share of links for testing.
        largest_component: Whether only the largest connected component is used.
        valid_links_at_test: Whether validation links carry messages when testing.
        negatives: What links are ranked among, unless that is prescribed.
        per_side: For ``heart``: how many negatives replace each end of a link.
    """

    name: str
    description: str
    cut: Literal["random", "official", "time"] = "random"
    valid: float = 0.05
    test: float = 0.10
    largest_component: bool = False
    valid_links_at_test: bool = False
    negatives: Negatives = "uniform"
    per_side: int = 250

    def __post_init__(self) -> None:
        if self.cut not in CUTS or self.negatives not in NEGATIVES:
            raise SettingsError(
                f"There is no cut {self.cut!r} with negatives {self.negatives!r}.",
                where=f"protocol {self.name!r}",
                hint=f"Cuts are {', '.join(CUTS)}; negatives are {', '.join(NEGATIVES)}.",
            )
        if not (0 < self.valid < 1 and 0 < self.test < 1 and self.valid + self.test < 1):
            raise SettingsError(
                f"{self.valid:g} for validation and {self.test:g} for testing leave nothing to learn from.",
                where=f"protocol {self.name!r}",
                hint="Both shares are above zero, and together below one.",
            )

    def metric_for(self, usual: str) -> str:
        """What a data set that is measured by ``usual`` is measured by here: MRR where each link has its own negatives.

        Example:
            >>> [PROTOCOLS[name].metric_for("hits@100") for name in ("paper", "heart")]
            ['hits@100', 'mrr']
        """
        return "mrr" if self.negatives == "heart" else usual

    def with_negatives(self, negatives: Negatives) -> Protocol:
        """The same cut with other negatives, under a name that says so."""
        if self.cut == "official":
            raise SplitError(
                f"The negatives of the protocol {self.name!r} are prescribed.",
                hint="Use a protocol that draws its negatives: paper, ncn, buddy, heart or time.",
            )
        return (
            self if negatives == self.negatives else replace(self, name=f"{self.name}+{negatives}", negatives=negatives)
        )


PROTOCOLS = Registry(
    "protocol",
    {
        protocol.name: protocol
        for protocol in [
            Protocol("paper", "Random 85/5/10 on the whole graph; as many uniform negatives as positives (HL-GNN)."),
            Protocol(
                "ncn", "Random 70/10/20 on the whole graph; as many uniform negatives (NCN, OCN).", test=0.2, valid=0.1
            ),
            Protocol(
                "buddy",
                "Random 70/10/20 on the largest component; validation links carry messages at test (BUDDY, ELPH).",
                valid=0.1,
                test=0.2,
                largest_component=True,
                valid_links_at_test=True,
            ),
            Protocol("heart", "Random 85/5/10; 500 hard negatives for each positive (HeaRT).", negatives="heart"),
            Protocol("ogb", "The official split and negatives; messages over training links (OGB).", cut="official"),
            Protocol(
                "ogb-valid-input",
                "The official split and negatives; validation links carry messages at test (OGB, collab).",
                cut="official",
                valid_links_at_test=True,
            ),
            Protocol(
                "time",
                "The newest 10 % of links are tested, the 5 % before them validate; needs the time of each link.",
                cut="time",
                valid_links_at_test=True,
            ),
        ]
    },
)


def make_split(dataset: Dataset, protocol: Protocol, seed: int, *, progress: Progress = silent) -> Split:
    """Cut ``dataset`` under ``protocol``; a seed always gives the same split, and every stage draws on its own."""
    if protocol.cut == "official":
        return _official_split(dataset, protocol)
    seeds = Seeds(seed)
    whole, cut = _cut(dataset, protocol, seeds)
    messages = whole.keep_links(cut.train)
    visible = whole.keep_links(torch.cat([cut.train, cut.valid])) if protocol.valid_links_at_test else messages
    valid, test = whole.links[cut.valid], whole.links[cut.test]
    valid_negative, test_negative = _draw_negatives(whole, messages, valid, test, protocol, seeds, progress)
    return Split(
        protocol=protocol.name,
        seed=seed,
        graph=messages,
        test_graph=visible,
        train=messages.links,
        margin=_margin(messages),
        valid=LinkSet(valid, valid_negative),
        test=LinkSet(test, test_negative),
    )


def _cut(dataset: Dataset, protocol: Protocol, seeds: Seeds) -> tuple[Graph, Cut]:
    if dataset.official is not None:
        raise SplitError(
            f"{dataset.name!r} has an official split; the protocol {protocol.name!r} would draw another one.",
            hint="Use the protocol 'ogb'.",
        )
    if protocol.cut == "time":
        if dataset.time is None:
            raise SplitError(
                f"The links of {dataset.name!r} have no time.",
                hint="Name the column that holds it with --time, or use a protocol that cuts at random.",
            )
        return dataset.graph, time_cut(dataset.time, protocol.valid, protocol.test)
    graph = dataset.graph
    whole = graph.subgraph(graph.largest_component()) if protocol.largest_component else graph
    return whole, random_cut(whole.num_links, protocol.valid, protocol.test, seeds.generator("split"))


def _draw_negatives(
    whole: Graph, messages: Graph, valid: Tensor, test: Tensor, protocol: Protocol, seeds: Seeds, progress: Progress
) -> tuple[Tensor, Tensor]:
    """Negatives for validation and for testing; uniform and degree-matched ones are drawn together and share none."""
    generator = seeds.generator("negatives")
    if protocol.negatives == "heart":
        return (
            heart(messages, whole, valid, generator, per_side=protocol.per_side, progress=progress),
            heart(messages, whole, test, generator, per_side=protocol.per_side, progress=progress),
        )
    if protocol.negatives == "degree-matched":
        drawn = degree_matched(whole, torch.cat([valid, test]), generator)
    else:
        drawn = uniform(whole, len(valid) + len(test), generator)
    return drawn[: len(valid)], drawn[len(valid) :]


def _official_split(dataset: Dataset, protocol: Protocol) -> Split:
    official = dataset.official
    if official is None:
        raise SplitError(
            f"{dataset.name!r} has no official split.",
            hint="Use one of the protocols paper, ncn, buddy, heart, or time.",
        )
    messages, visible = dataset.graph, dataset.graph
    if protocol.valid_links_at_test:
        # Smaller node first: repeats of a link add up whichever way round they are written.
        edges = torch.cat([official.train, official.valid.positive]).sort(dim=1).values
        weight = None
        if official.weight is not None and official.valid_weight is not None:
            weight = torch.cat([official.weight, official.valid_weight])
        visible = messages.with_links(edges, weight)
    return Split(
        protocol=protocol.name,
        seed=None,
        graph=messages,
        test_graph=visible,
        train=official.train,
        margin=torch.ones(len(official.train)) if official.weight is None else official.weight,
        valid=official.valid,
        test=official.test,
    )


def _margin(messages: Graph) -> Tensor:
    """γ_ij of Eq. 4: the weight of each link, or one."""
    weight = messages.link_weight
    return torch.ones(messages.num_links) if weight is None else weight
