"""NCNC: a neighbour of one end counts as a common one by the chance that it is linked to the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import torch
from scipy.sparse import csr_array
from torch import Tensor

from hlgnn.baselines.common_neighbors import BOTH, FIRST, either_neighbors
from hlgnn.baselines.ncn.model import NCN, State
from hlgnn.baselines.ncn.settings import NCNCSettings
from hlgnn.models.card import ModelCard

if TYPE_CHECKING:
    from hlgnn.graph import Graph

PAIRS_AT_ONCE = 1 << 14


class NCNC(NCN):
    """NCN on completed sets of neighbours (Wang, Yang and Zhang, 2024).

    A common neighbour counts one. A neighbour u of i alone counts α π p / (π p + 1 − p), where p is
    σ(scale (l − offset)), and l the logit that NCN, with the same weights, gives to (j, u) without dropout;
    it is not learned through.
    """

    def __init__(self, graph: Graph, settings: NCNCSettings, generator: torch.Generator) -> None:
        super().__init__(graph, settings, generator)
        self.completion = settings

    def score(self, state: State, pairs: Tensor) -> Tensor:
        """The logit of every pair.  (P, 2) -> (P,)"""
        return self.read(state, pairs, self.completed_rows(state, pairs))

    @torch.no_grad()
    def completed_rows(self, state: State, pairs: Tensor) -> csr_array:
        """How much every node counts as a common neighbour.  (P, 2) -> (P, N)"""
        adjacency, ends = state.adjacency, pairs.numpy()
        found = either_neighbors(adjacency.offset.numpy(), adjacency.neighbor.numpy(), ends)
        row = np.repeat(np.arange(len(ends)), np.diff(found.offset))
        missing = found.side != BOTH
        other = np.where(found.side == FIRST, ends[row, 1], ends[row, 0])[missing]
        weight = np.ones(len(found.node), dtype=np.float32)
        weight[missing] = self._chance(state, other, found.node[missing])
        return csr_array((weight, found.node, found.offset), shape=(len(ends), adjacency.num_nodes))

    def _chance(self, state: State, first: np.ndarray, second: np.ndarray) -> np.ndarray:
        """What missing links are worth; a pair that is asked for more than once is scored once.  (M,), (M,) -> (M,)"""
        num_nodes = state.adjacency.num_nodes
        key = np.minimum(first, second) * num_nodes + np.maximum(first, second)
        key, place = np.unique(key, return_inverse=True)
        pairs = torch.from_numpy(np.stack([key // num_nodes, key % num_nodes], axis=1))
        return self.worth(self._plain_scores(state, pairs)).numpy()[place]

    def _plain_scores(self, state: State, pairs: Tensor) -> Tensor:
        """The logits of NCN, without dropout in training either.  (P, 2) -> (P,)"""
        was_training = self.head.training
        self.head.eval()
        logits = [super(NCNC, self).score(state, batch) for batch in pairs.split(PAIRS_AT_ONCE)]
        self.head.train(was_training)
        return torch.cat(logits)

    def worth(self, logits: Tensor) -> Tensor:
        """α π p / (π p + 1 − p).  (M,) -> (M,)"""
        chosen = self.completion
        odds = chosen.scale * (logits - chosen.offset)
        return chosen.share * torch.sigmoid(odds + np.log(chosen.prior))


NCNC_CARD = ModelCard(
    name="ncnc", title="NCNC", settings=NCNCSettings, build=NCNC, citation="Wang, Yang and Zhang, ICLR 2024"
)
