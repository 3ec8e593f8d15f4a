"""From the representations of two nodes to a score: f_θ(z_i ⊙ z_j) (Sect. 4.1), and others."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import torch
from torch import Tensor, nn
from torch.nn.functional import normalize

from hlgnn.models.dropout import Dropout
from hlgnn.models.initialization import linear
from hlgnn.models.pair_reader import count_numbers
from hlgnn.models.product_form import ProductForm

if TYPE_CHECKING:
    from hlgnn.models.settings import HeadSettings


# A cosine of a fifth is as likely a link as not, at first; the ranking does not depend on it.
SHIFT = 0.2


class MLPHead(nn.Module):
    """A perceptron of z_i ⊙ z_j, as in the paper, and of |z_i − z_j| and numbers of the pair if asked for."""

    def __init__(self, width: int, settings: HeadSettings, generator: torch.Generator, noise: torch.Generator) -> None:
        super().__init__()
        self.difference = settings.difference
        self.product = settings.product
        inputs = width * (settings.product + settings.difference) + count_numbers(settings)
        widths = [inputs, *([settings.hidden] * (settings.layers - 1)), 1]
        self.layers = nn.ModuleList(linear(inputs, outputs, generator) for inputs, outputs in pairwise(widths))
        self.dropout = Dropout(settings.dropout, noise)

    def forward(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """(P, F), (P, F), (P, 7) -> (P,)"""
        parts = [left * right] if self.product else []
        if self.difference:
            parts.append((left - right).abs())
        if numbers is not None:
            parts.append(numbers)
        x = parts[0] if len(parts) == 1 else torch.cat(parts, dim=-1)
        for layer in list(self.layers)[:-1]:
            x = self.dropout(torch.relu(layer(x)))
        score: Tensor = self.layers[-1](x).squeeze(-1)
        return score


class DotHead(nn.Module):
    """⟨z_i, z_j⟩: nothing to learn."""

    def forward(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """(P, F), (P, F) -> (P,)"""
        del numbers
        return (left * right).sum(dim=-1)

    def product_form(self, z: Tensor) -> ProductForm:
        """All pairs.  (N, F)"""
        return ProductForm(z, z, torch.zeros(()))


class CosineHead(nn.Module):
    """a cos(z_i, z_j) + b with learned a and b, which make a logit of the cosine and leave its ranking alone."""

    def __init__(self, settings: HeadSettings) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(settings.cosine_scale))
        self.shift = nn.Parameter(torch.tensor(-SHIFT * settings.cosine_scale))

    def forward(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """(P, F), (P, F) -> (P,)"""
        return self.of_units(normalize(left, dim=-1), normalize(right, dim=-1), numbers)

    def of_units(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """The same of vectors that have length one already.  (P, F), (P, F) -> (P,)"""
        del numbers
        return self.scale * (left * right).sum(dim=-1) + self.shift

    def product_form(self, z: Tensor) -> ProductForm:
        """All pairs.  (N, F)"""
        unit = normalize(z, dim=-1)
        return ProductForm(self.scale * unit, unit, self.shift)


class DiagonalHead(nn.Module):
    """Σ_f w_f z_if z_jf + b: a dot product whose columns count with either sign.

    A dot product can only say that nodes with alike representations are linked. Where unlike ones are, as in a graph of
    interactions whose operator has large negative eigenvalues, columns with negative weights say so.
    """

    def __init__(self, width: int, generator: torch.Generator) -> None:
        super().__init__()
        signs = 2.0 * torch.randint(2, (width,), generator=generator) - 1.0
        self.weight = nn.Parameter(signs / width**0.5)  # (F,)
        self.shift = nn.Parameter(torch.tensor(0.0))

    def forward(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """(P, F), (P, F) -> (P,)"""
        del numbers
        return (left * right) @ self.weight + self.shift

    def product_form(self, z: Tensor) -> ProductForm:
        """All pairs.  (N, F)"""
        return ProductForm(z * self.weight, z, self.shift)


class ResidualHead(nn.Module):
    """a cos(z_i, z_j) + b plus a perceptron of the product of the unit vectors, whose last layer starts at zero.

    Before the first step this ranks as the cosine does; what is learned is the correction.
    """

    def __init__(self, width: int, settings: HeadSettings, generator: torch.Generator, noise: torch.Generator) -> None:
        super().__init__()
        self.scale = nn.Parameter(torch.tensor(settings.cosine_scale))
        self.shift = nn.Parameter(torch.tensor(-SHIFT * settings.cosine_scale))
        self.correction = MLPHead(width, settings, generator, noise)
        self.stretch = width**0.5  # products of unit vectors are about 1 / width: bring them to order one
        for parameter in self.correction.layers[-1].parameters():
            nn.init.zeros_(parameter)

    def forward(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """(P, F), (P, F), (P, 7) -> (P,)"""
        return self.of_units(normalize(left, dim=-1), normalize(right, dim=-1), numbers)

    def of_units(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """The same of vectors that have length one already.  (P, F), (P, F), (P, 7) -> (P,)"""
        correction: Tensor = self.correction(self.stretch * left, self.stretch * right, numbers)
        return self.scale * (left * right).sum(dim=-1) + self.shift + correction


ProductHead = DotHead | CosineHead | DiagonalHead
Head = MLPHead | ResidualHead | ProductHead


def build_head(width: int, settings: HeadSettings, generator: torch.Generator, noise: torch.Generator) -> Head:
    """The head that ``settings`` names, for representations of that width.

    Args:
        width: F.
        settings: Its kind and size.
        generator: Where first weights come from.
        noise: Where dropout draws from.
    """
    if settings.kind == "dot":
        return DotHead()
    if settings.kind == "cosine":
        return CosineHead(settings)
    if settings.kind == "diagonal":
        return DiagonalHead(width, generator)
    kind = MLPHead if settings.kind == "mlp" else ResidualHead
    return kind(width, settings, generator, noise)
