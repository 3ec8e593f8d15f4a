"""Which order HL-GNN weighs most on the triangular and on the hexagonal network (Sect. 5.5, Figure 5)."""

from __future__ import annotations

import importlib.metadata
import math
import platform
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

import numpy as np
import torch
from pydantic import Field
from scipy.sparse import csr_array, diags_array, eye_array
from torch import Tensor, nn
from torch.nn.functional import softplus

from hlgnn.data import PROTOCOLS, make_split
from hlgnn.data.synthetic import RING_NETWORKS, RingNetwork
from hlgnn.evaluation import metric
from hlgnn.formulation import SYM, Formulation
from hlgnn.formulation.beta_init import initial_beta
from hlgnn.models import HLGNN, HeadSettings, HLGNNSettings, InputSettings, LinkModel, PropagationSettings
from hlgnn.progress import Progress, silent
from hlgnn.registry import Registry
from hlgnn.seeds import Seeds
from hlgnn.settings import Settings
from hlgnn.training.evaluate import evaluate
from hlgnn.training.fit import Training
from hlgnn.training.train_settings import TrainSettings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.graph import Graph

PACKAGES = ("hlgnn", "torch", "numpy", "scipy")


class WalkSettings(Settings):
    """What can be chosen about ``WalkModel``.

    Attributes:
        depth: L.
        gamma: Where weights start: β_l = γ^l, the KI initialisation of Appendix C.1.
        signs: ``positive`` keeps every weight above zero, as in all of Table 2; ``free`` does not.
    """

    depth: Annotated[int, Field(ge=0, le=1000)] = 20
    gamma: Annotated[float, Field(gt=0, le=1)] = 0.5
    signs: Literal["positive", "free"] = "positive"


class WalkModel(LinkModel[list[csr_array], list[csr_array]]):
    """s_ij = H_ij + b with H = Σ β_l Ã_sym^l: the learned heuristic is the score (Definition 3.1).

    It is HL-GNN with one-hot features, where Z = H X = H (Proposition 4.1), and with z_i · x_j in place of the head. A
    product of z_i and z_j would hold H Hᵀ, where the two ends meet half-way, so that no order stands for the path from
    one to the other.

    Weights are learned relative to their start, β_l = γ^l θ_l with θ_l = 1 at first, so that a step of the optimiser
    moves every order by the same share. For graphs of small components only: all powers of Ã_sym are kept.
    """

    def __init__(self, settings: WalkSettings) -> None:
        super().__init__()
        self.settings = settings
        start = initial_beta("ki", settings.depth, settings.gamma, torch.Generator())
        self.register_buffer("start", start)  # (L + 1,)
        self.change = nn.Parameter(torch.zeros(settings.depth + 1))  # (L + 1,)
        self.shift = nn.Parameter(torch.zeros(()))

    start: Tensor

    @property
    def beta(self) -> Tensor:
        """β_l.  (L + 1,)"""
        factor = softplus(self.change) / math.log(2) if self.settings.signs == "positive" else 1 + self.change
        return self.start * factor

    def formulation(self) -> Formulation:
        """H as a heuristic."""
        return Formulation("learned", (SYM,) * self.settings.depth, tuple(self.beta.detach().double().tolist()))

    def slow_parameters(self) -> list[nn.Parameter]:
        """θ, by which β is learned."""
        return [self.change]

    def prepare(self, graph: Graph) -> list[csr_array]:
        """I, Ã_sym, …, Ã_sym^L, sparse.  (N, N) each"""
        loops = csr_array(eye_array(graph.num_nodes))
        root = diags_array(1 / np.sqrt(graph.degree.numpy() + 1.0))
        operator = csr_array(root @ (graph.to_pattern() + loops) @ root)
        powers = [loops]
        for _ in range(self.settings.depth):
            powers.append(csr_array(powers[-1] @ operator))
        return powers

    def encode(self, prepared: list[csr_array]) -> list[csr_array]:
        """The powers as they are."""
        return prepared

    def score(self, state: list[csr_array], pairs: Tensor) -> Tensor:
        """H_ij + b.  (P, 2) -> (P,)"""
        i, j = pairs.numpy().T
        walks = np.stack([np.asarray(power[i, j]).ravel() for power in state], axis=1)  # (P, L + 1)
        return torch.from_numpy(walks).float() @ self.beta + self.shift


class Recipe(Settings):
    """How the weights of the case study are learned.

    Attributes:
        description: What it does and why, in plain words.
        model: HL-GNN, or the heuristic itself as the score.
        train: How it is trained; the weights after the last epoch count.
    """

    description: str
    model: HLGNNSettings | WalkSettings
    train: TrainSettings


_WALKS = TrainSettings(
    epochs=50, learning_rate=0.05, beta_rate=1.0, gradient_clip=0.0, hide="folds", folds=20, evaluate_every=50
)
RECIPES: Registry[Recipe] = Registry(
    "recipe",
    {
        "paper": Recipe(
            description="What the paper states: L = 20, learned vectors of nodes because there are no features, a "
            "perceptron of the product of both ends, Adam with 0.001 for all weights, KI start with 0.5 and the AUC "
            "loss as on the OGB data. Links are in the message graph while they are predicted.",
            model=HLGNNSettings(
                input=InputSettings(source="embedding", embedding_width=256, hidden=0),
                propagation=PropagationSettings(beta_init="ki", beta_parameter=0.5),
                head=HeadSettings(hidden=256, layers=2, dropout=0.3),
            ),
            train=TrainSettings(
                objective="adaptive-hinge-auc", sampler="per-source", epochs=100, batch_size=128, evaluate_every=100
            ),
        ),
        "walks": Recipe(
            description="The score of a pair is H_ij itself, each link is hidden from the message graph while it is "
            "predicted, weights start as the Katz index (0.5), are learned relative to that start, and stay positive. "
            "Orders that do not reach the other end keep their start or fade, the others grow by about the same share; "
            "that the shortest of these is the largest is due to the start, which prefers short walks.",
            model=WalkSettings(),
            train=_WALKS,
        ),
        "signed-walks": Recipe(
            description="As walks, but weights may become negative. In a hexagon pairs at distance two and three are "
            "no links, and orders two to four learn to count against them.",
            model=WalkSettings(signs="free"),
            train=_WALKS,
        ),
    },
)
"""The recipe of the paper, the one that gives its result, and a variation that shows what that rests on."""


@dataclass(frozen=True)
class CaseRow:
    """One network learned with one seed.

    Attributes:
        network: Which one.
        order: The order that connects the ends of a missing link: two in a triangle, five in a hexagon.
        seed: What the split, the first weights and the negatives are drawn from.
        betas: β_0 … β_L after training.
        auc: AUC of the test links.
    """

    network: str
    order: int
    seed: int
    betas: tuple[float, ...]
    auc: float

    @property
    def largest(self) -> int:
        """The order with the largest |β|."""
        return int(np.argmax(np.abs(self.betas)))


def case_study(
    seeds: Sequence[int],
    recipe: Recipe,
    *,
    networks: Sequence[str] = tuple(RING_NETWORKS),
    num_nodes: int = 1000,
    progress: Progress = silent,
) -> list[CaseRow]:
    """Learn the weights on a fresh split of each network for each seed.

    Args:
        seeds: One run for each.
        recipe: How.
        networks: By name.
        num_nodes: How large they are.
        progress: Told about each run.
    """
    cells = [(RING_NETWORKS[name], seed) for name in networks for seed in seeds]
    rows = []
    for number, (network, seed) in enumerate(cells):
        progress(f"{network.name} network", number, len(cells))
        rows.append(_learn(network, seed, recipe, num_nodes))
    progress("Networks", len(cells), len(cells))
    return rows


def _learn(network: RingNetwork, seed: int, recipe: Recipe, num_nodes: int) -> CaseRow:
    split, seeds = make_split(network.dataset(num_nodes), PROTOCOLS["paper"], seed), Seeds(seed)
    model: HLGNN | WalkModel = (
        WalkModel(recipe.model)
        if isinstance(recipe.model, WalkSettings)
        else HLGNN(split.graph, recipe.model, seeds.generator("model"))
    )
    training = Training(model, split, recipe.train, default_metric="auc", seeds=seeds)
    while not training.finished:
        training.run_epoch()
    beta = model.beta if isinstance(model, WalkModel) else model.propagation.used_beta
    found = evaluate(model, model.prepare(split.test_graph), split.test, [metric("auc")])
    return CaseRow(network.name, network.order, seed, tuple(beta.detach().double().tolist()), found["auc"])


def case_document(seeds: Sequence[int], tables: dict[str, list[CaseRow]], *, num_nodes: int = 1000) -> dict[str, Any]:
    """What is stored: every weight of every seed, how often the expected order is largest, settings and versions."""
    versions = {name: importlib.metadata.version(name) for name in PACKAGES} | {"python": platform.python_version()}
    return {
        "experiment": "case study",
        "protocol": "paper",
        "protocol_description": PROTOCOLS["paper"].description,
        "num_nodes": num_nodes,
        "seeds": list(seeds),
        "part": "test",
        "versions": versions,
        "recipes": {name: _recipe_document(RECIPES[name], rows) for name, rows in tables.items()},
    }


def _recipe_document(recipe: Recipe, rows: list[CaseRow]) -> dict[str, Any]:
    names = dict.fromkeys(row.network for row in rows)
    return {
        "settings": recipe.model_dump(mode="json"),
        "networks": {name: _network_document([row for row in rows if row.network == name]) for name in names},
    }


def _network_document(rows: list[CaseRow]) -> dict[str, Any]:
    return {
        "expected_order": rows[0].order,
        "seeds_with_expected_order": sum(row.largest == row.order for row in rows),
        "rows": [
            {"seed": row.seed, "largest": row.largest, "auc": row.auc, "betas": [float(f"{b:.6g}") for b in row.betas]}
            for row in rows
        ],
    }
