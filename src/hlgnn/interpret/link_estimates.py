"""What removing a known link changes, to first order in its weight: for all candidates at the price of a few rows."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch

from hlgnn.formulation import normalize
from hlgnn.interpret.link_head import logit_gradient
from hlgnn.interpret.link_rows import entries, layer_product

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.formulation import Formulation, Normalized
    from hlgnn.interpret.link_encoder import LinkEncoder, LinkEnds


def estimated_changes(encoder: LinkEncoder, ends: LinkEnds, first: int, second: int, links: Tensor) -> Tensor:
    """What removing each link changes the logit by, to first order in its weight.  (C, 2) -> (C,)

    Entries of the operators vanish and degrees shrink; numbers of the pair, and what divides a mixture, are taken as
    they are. H is read as Σ β_l A_1 ⋯ A_l (Eq. 1), or its transpose is, so that the derivative in A_(t+1) is the
    product of the row of A_1 ⋯ A_t at one end with β_(t+1) y + A_(t+2) (β_(t+2) y + …) at the other.
    """
    gradient = logit_gradient(encoder, ends.z, first, second)  # (2, F)
    formulation, left = encoder.formulation, encoder.starts((first, second))  # (N, 2)
    right = encoder.input.along(gradient.T.contiguous())  # (N, 2)
    if formulation.order == "recurrence":
        formulation, left, right = replace(formulation, degree_scale=False).transposed, right, left
    normalized = normalize(encoder.graph.adjacency, self_loops=formulation.self_loops)
    edge, back = (encoder.graph.adjacency.find_edges(pairs) for pairs in (links, links.flip(1)))
    forward = [left]
    for layer in range(formulation.depth):
        forward.append(layer_product(formulation, normalized, layer, forward[-1], transposed=True))
    low, high = links.T
    nested = formulation.betas[-1] * right  # (N, 2)
    direct = torch.zeros(len(links), dtype=torch.float64)
    scaled = torch.zeros(len(left), dtype=torch.float64)  # the change by d̃_k, times d̃_k
    for layer in reversed(range(formulation.depth)):
        product = layer_product(formulation, normalized, layer, nested)  # (N, 2)
        there = entries(formulation, normalized, layer, low, high, edge)
        here = entries(formulation, normalized, layer, high, low, back)
        direct += there * (forward[layer][low] * nested[high]).sum(dim=1)
        direct += here * (forward[layer][high] * nested[low]).sum(dim=1)
        outer, inner = _powers(formulation, layer)
        scaled += outer * (forward[layer] * product).sum(dim=1) + inner * (forward[layer + 1] * nested).sum(dim=1)
        nested = product + formulation.betas[layer] * right
    weight = _weights(normalized, edge)
    relative = scaled / normalized.degree.clamp(min=1e-300)  # (N,)
    return weight * (relative[low] + relative[high]) - direct


def _powers(formulation: Formulation, layer: int) -> tuple[float, float]:
    """The p and q of D^-p Ã D^-q; for a mixture their means."""
    if formulation.tilts:
        return 0.5 - formulation.tilts[layer], 0.5 + formulation.tilts[layer]
    adj, sym, row, col = (abs(weight) for weight in formulation.operators[layer])
    total = max(adj + sym + row + col, 1e-300)
    return (sym / 2 + row) / total, (sym / 2 + col) / total


def _weights(normalized: Normalized, edge: Tensor) -> Tensor:
    if normalized.weight is None:
        return torch.ones(len(edge), dtype=torch.float64)
    return normalized.weight[edge].double()
