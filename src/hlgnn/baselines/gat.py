"""GAT: every layer weighs neighbours and the node itself by learned attention."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, final

import numpy as np
import torch
from scipy.sparse import csr_array, eye_array
from torch import Tensor, nn

from hlgnn.baselines.attention_sum import attention_sum
from hlgnn.baselines.pyg_layer import pyg_layer
from hlgnn.baselines.stack_model import StackModel, StackSettings
from hlgnn.models.card import ModelCard

if TYPE_CHECKING:
    from hlgnn.baselines.node_input import Product
    from hlgnn.graph import Graph


class Edges(NamedTuple):
    """Who attends to whom, every node to itself as well; weights of links do not count."""

    offset: Tensor  # (N + 1,)
    neighbor: Tensor  # (E,)
    ends: Tensor  # (2, E), who is attended to, and by whom


class GATLayer(nn.Module):
    """Σ_j α_ij W x_j + b with α_ij = softmax_j LeakyReLU(a · W x_i + a' · W x_j), one head."""

    def __init__(self, inputs: int, outputs: int, generator: torch.Generator) -> None:
        super().__init__()
        self.layer = pyg_layer("GATConv", inputs, outputs, generator, add_self_loops=False)

    def forward(self, product: Product, messages: Edges) -> Tensor:
        """(N, H)"""
        layer = self.layer
        hidden = product(layer.lin.weight.T)  # (N, H)
        attended, attending = (hidden @ part.view(-1, 1) for part in (layer.att_src, layer.att_dst))  # (N, 1)
        weight = layer.edge_updater(messages.ends, alpha=(attended, attending), edge_attr=None, size=None)  # (E, 1)
        total = attention_sum(messages.offset, messages.neighbor, weight.squeeze(1), hidden)
        out: Tensor = total + layer.bias
        return out


@final
class GAT(StackModel):
    """f(z_i ⊙ z_j) on graph attention (Veličković et al., 2018)."""

    kind = GATLayer

    def messages(self, graph: Graph) -> Edges:
        """Edges in order of who attends."""
        looped = csr_array(graph.to_pattern() + eye_array(graph.num_nodes, dtype=np.float32))
        looped.sort_indices()
        offset, neighbor = (torch.from_numpy(each.astype(np.int64)) for each in (looped.indptr, looped.indices))
        attending = torch.repeat_interleave(torch.arange(graph.num_nodes), offset.diff())
        return Edges(offset, neighbor, torch.stack([neighbor, attending]))


CARD = ModelCard(name="gat", title="GAT", settings=StackSettings, build=GAT, citation="Veličković et al., ICLR 2018")
