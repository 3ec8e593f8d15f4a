"""One step of the recursion: messages, their aggregation, and the new state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn

from hlgnn.baselines.nbfnet.aggregation import aggregate
from hlgnn.models.dense_product import linear_map, matrix_product
from hlgnn.models.initialization import linear
from hlgnn.models.rows import take_rows

if TYPE_CHECKING:
    from hlgnn.baselines.nbfnet.pattern import Pattern
    from hlgnn.baselines.nbfnet.settings import NBFNetSettings

PLACES = {"sum": 0, "mean": 0, "max": 1, "min": 2}
LEAST_SCALE = 0.01


class BellmanFordLayer(nn.Module):
    """h_v ← ReLU(LN(W [h_v, ⊕({h_x ⊙ w : x → v} ∪ {b_v})])) + h_v (Zhu et al. 2021, Algorithm 1).

    The message of DistMult is a product with the vector of the one relation that there is.
    """

    def __init__(self, settings: NBFNetSettings, generator: torch.Generator) -> None:
        super().__init__()
        width = settings.width
        self.settings = settings
        self.relation = nn.Parameter(torch.randn(width, generator=generator))  # (D,)
        self.update = linear((13 if settings.aggregate == "pna" else 2) * width, width, generator)
        self.norm = nn.LayerNorm(width) if settings.layer_norm else nn.Identity()

    def forward(self, states: Tensor, query: Tensor, pattern: Pattern, scale: Tensor) -> Tensor:
        """The states after the step.  (T, D), (D,), (N,) -> (R, D)

        Args:
            states: The states before it: of the background, then others.
            query: What the source of a query starts with, and receives in every step.
            pattern: Who receives what.
            scale: The logarithm of the degree of each node over its mean.
        """
        boundary = torch.stack([torch.zeros_like(query), query])
        received = aggregate(torch.cat([boundary, states * self.relation]), pattern)  # (R, 4 D)
        own = take_rows(states, pattern.own)  # (R, D)
        count = torch.from_numpy(pattern.offset).diff().to(received.dtype).unsqueeze(1)  # (R, 1)
        if self.settings.aggregate == "pna":
            new = self._all_scales(own, received, count, scale[pattern.node].unsqueeze(1))
        else:
            place, width = PLACES[self.settings.aggregate], self.settings.width
            chosen = received[:, place * width : (place + 1) * width]
            chosen = chosen / count if self.settings.aggregate == "mean" else chosen
            new = self.update(torch.cat([own, chosen], dim=1))
        new = torch.relu(self.norm(new))
        result: Tensor = new + own if self.settings.short_cut else new
        return result

    def _all_scales(self, own: Tensor, received: Tensor, count: Tensor, scale: Tensor) -> Tensor:
        """W [h, f, s f, f / s] as h W₀ + f W₁ + s (f W₂) + (f W₃) / s, which never holds the scaled copies."""
        width = self.settings.width
        mean = received[:, :width] / count
        values = torch.cat([mean, received[:, width:]], dim=1)  # (R, 4 D)
        weight = self.update.weight
        scaled = weight[:, width:].view(width, 3, 4 * width).transpose(0, 1).reshape(3 * width, 4 * width)
        plain, grown, shrunk = torch.chunk(matrix_product(values, scaled.t()), 3, dim=1)
        inverse = 1 / scale.clamp(min=LEAST_SCALE)
        new: Tensor = linear_map(own, weight[:, :width], self.update.bias)
        return new + plain + scale * grown + inverse * shrunk
