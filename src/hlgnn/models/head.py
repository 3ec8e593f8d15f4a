"""From the representations of two nodes to a score: f_θ(z_i ⊙ z_j) (Sect. 4.1), and others."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING, cast

import torch
from torch import Tensor, nn

from hlgnn.models.columns import ALONE, Columns, summed_linear, unit_rows
from hlgnn.models.dense_product import linear_product
from hlgnn.models.dropout import Dropout
from hlgnn.models.initialization import linear
from hlgnn.models.low_perceptron import low_layer, low_products
from hlgnn.models.pair_reader import count_numbers
from hlgnn.models.product_form import ProductForm
from hlgnn.models.rows import take_rows
from hlgnn.processes.collectives import total

if TYPE_CHECKING:
    from hlgnn.models.settings import HeadSettings
    from hlgnn.processes import Group


# A cosine of a fifth is as likely a link as not, at first; the ranking does not depend on it.
SHIFT = 0.2


class MLPHead(nn.Module):
    """A perceptron of z_i ⊙ z_j, as in the paper, and of |z_i − z_j| and numbers of the pair if asked for.

    With ``regression_start`` the last numbers, those of regressions, also reach the score by themselves. Before the
    first step it is their mean, since the last layer starts at zero.
    """

    def __init__(
        self, columns: Columns, settings: HeadSettings, generator: torch.Generator, noise: torch.Generator
    ) -> None:
        super().__init__()
        self.difference = settings.difference
        self.product = settings.product
        self.low = settings.precision == "bfloat16"
        self.inputs = _inputs(columns, settings)
        widths = [self.inputs.length, *([settings.hidden] * (settings.layers - 1)), 1]
        self.layers = nn.ModuleList(linear(inputs, outputs, generator) for inputs, outputs in pairwise(widths))
        keep_columns(self.layers[0], self.inputs, dim=1)
        self.dropout = Dropout(settings.dropout, noise)
        self.regressed: nn.Parameter | None = None
        if settings.regression_start:
            count = len(settings.regression)
            self.regressed = nn.Parameter(torch.full((count,), 1.0 / count))  # (K,)
            _start_at_zero(self.layers[-1])

    def forward(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """(P, F), (P, F), (P, 7) -> (P,); numbers are read by the process that holds the first columns."""
        parts = [left * right] if self.product else [left[:, :0]]
        if self.difference:
            parts.append((left - right).abs())
        if numbers is not None:
            parts.append(numbers)
        x = parts[0] if len(parts) == 1 else torch.cat(parts, dim=-1)
        first, *others = self.layers
        low = self.low and self.training
        x = summed_linear(self.inputs.group, cast("nn.Linear", first), x, low=low and bool(others))
        for position, layer in enumerate(others, start=1):
            last = position == len(others)
            x = linear_product(cast("nn.Linear", layer), self.dropout(torch.relu(x)), low=low and not last)
        return x.squeeze(-1) if self.regressed is None else x.squeeze(-1) + self._start(self.regressed, left, numbers)

    def is_low(self, z: Tensor) -> bool:
        """Whether logits of pairs of rows of ``z`` can be had from ``low_logits``."""
        alone = self.inputs.group.alone and self.product and self.inputs.length == z.shape[1]
        plain = z.dtype == torch.float32 and z.device.type == "cpu" and len(self.layers) > 1
        return self.low and self.training and alone and plain and self.regressed is None

    def low_logits(self, z: Tensor, pairs: Tensor) -> Tensor:
        """The same as of rows, with hidden units in bfloat16 throughout.  (N, F), (P, 2) -> (P,)"""
        *hidden, last = (cast("nn.Linear", each) for each in self.layers)
        x = low_products(z, pairs)
        for layer in hidden:
            x = low_layer(layer, x, self.dropout)
        logits: Tensor = last(x.float())
        return logits.squeeze(-1)

    def _start(self, weight: Tensor, left: Tensor, numbers: Tensor | None) -> Tensor:
        """What the regressions say, of the process that reads numbers.  (K,), (P, F), (P, C) -> (P,)

        The others have a gradient of nought, so that all sum gradients of the same parameters.
        """
        said = weight.sum() * left.new_zeros(len(left)) if numbers is None else numbers[:, -len(weight) :] @ weight
        return total(self.inputs.group, said, "head")

    def column_shares(self) -> dict[str, tuple[int, Columns]]:
        """The dimension of each weight that processes hold parts of, and which parts."""
        return {"layers.0.weight": (1, self.inputs)}


class DotHead(nn.Module):
    """⟨z_i, z_j⟩: nothing to learn."""

    def __init__(self, group: Group = ALONE) -> None:
        super().__init__()
        self.group = group

    def forward(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """(P, F), (P, F) -> (P,)"""
        del numbers
        return total(self.group, (left * right).sum(dim=-1), "head")

    def product_form(self, z: Tensor) -> ProductForm:
        """All pairs.  (N, F)"""
        return ProductForm(z, z, torch.zeros(()), group=self.group)

    def column_shares(self) -> dict[str, tuple[int, Columns]]:
        """There are no weights."""
        return {}


class CosineHead(nn.Module):
    """a cos(z_i, z_j) + b with learned a and b, which make a logit of the cosine and leave its ranking alone."""

    def __init__(self, settings: HeadSettings, group: Group = ALONE) -> None:
        super().__init__()
        self.group = group
        self.scale = nn.Parameter(torch.tensor(settings.cosine_scale))
        self.shift = nn.Parameter(torch.tensor(-SHIFT * settings.cosine_scale))

    def forward(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """(P, F), (P, F) -> (P,)"""
        return self.of_units(unit_rows(self.group, left), unit_rows(self.group, right), numbers)

    def of_units(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """The same of vectors that have length one already.  (P, F), (P, F) -> (P,)"""
        del numbers
        return self.scale * total(self.group, (left * right).sum(dim=-1), "head") + self.shift

    def product_form(self, z: Tensor) -> ProductForm:
        """All pairs.  (N, F)"""
        unit = unit_rows(self.group, z)
        if self.group.alone:
            return ProductForm(self.scale * unit, unit, self.shift)
        return ProductForm(unit, unit, self.shift, group=self.group, scale=self.scale)

    def column_shares(self) -> dict[str, tuple[int, Columns]]:
        """Both weights are everyone's."""
        return {}


class DiagonalHead(nn.Module):
    """Σ_f w_f z_if z_jf + b: a dot product whose columns count with either sign.

    A dot product can only say that nodes with alike representations are linked. Where unlike ones are, as in a graph of
    interactions whose operator has large negative eigenvalues, columns with negative weights say so.
    """

    def __init__(self, columns: Columns, generator: torch.Generator) -> None:
        super().__init__()
        self.columns, width = columns, columns.length
        signs = 2.0 * torch.randint(2, (width,), generator=generator) - 1.0
        self.weight = nn.Parameter(columns.keep(signs / width**0.5, 0))  # (F,)
        self.shift = nn.Parameter(torch.tensor(0.0))

    def forward(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """(P, F), (P, F) -> (P,)"""
        del numbers
        return total(self.columns.group, (left * right) @ self.weight, "head") + self.shift

    def product_form(self, z: Tensor) -> ProductForm:
        """All pairs.  (N, F)"""
        return ProductForm(z * self.weight, z, self.shift, group=self.columns.group)

    def column_shares(self) -> dict[str, tuple[int, Columns]]:
        """The weights of the columns."""
        return {"weight": (0, self.columns)}


class ResidualHead(nn.Module):
    """a cos(z_i, z_j) + b plus a perceptron of the product of the unit vectors, whose last layer starts at zero.

    Before the first step this ranks as the cosine does; what is learned is the correction.
    """

    def __init__(
        self, columns: Columns, settings: HeadSettings, generator: torch.Generator, noise: torch.Generator
    ) -> None:
        super().__init__()
        self.group = columns.group
        self.scale = nn.Parameter(torch.tensor(settings.cosine_scale))
        self.shift = nn.Parameter(torch.tensor(-SHIFT * settings.cosine_scale))
        self.correction = MLPHead(columns, settings, generator, noise)
        self.stretch = columns.length**0.5  # products of unit vectors are about 1 / width: bring them to order one
        _start_at_zero(self.correction.layers[-1])

    def forward(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """(P, F), (P, F), (P, 7) -> (P,)"""
        return self.of_units(unit_rows(self.group, left), unit_rows(self.group, right), numbers)

    def of_units(self, left: Tensor, right: Tensor, numbers: Tensor | None = None) -> Tensor:
        """The same of vectors that have length one already.  (P, F), (P, F), (P, 7) -> (P,)"""
        correction: Tensor = self.correction(self.stretch * left, self.stretch * right, numbers)
        cosine = total(self.group, (left * right).sum(dim=-1), "head")
        return self.scale * cosine + self.shift + correction

    def column_shares(self) -> dict[str, tuple[int, Columns]]:
        """Those of the correction."""
        return {f"correction.{name}": share for name, share in self.correction.column_shares().items()}


ProductHead = DotHead | CosineHead | DiagonalHead
Head = MLPHead | ResidualHead | ProductHead


def pair_logits(head: Head, z: Tensor, pairs: Tensor) -> Tensor:
    """The logit of every pair by the rows of its ends.  (N, F), (P, 2) -> (P,)"""
    if isinstance(head, MLPHead) and head.is_low(z):
        return head.low_logits(z, pairs)
    logits: Tensor = head(take_rows(z, pairs[:, 0]), take_rows(z, pairs[:, 1]))
    return logits


def build_head(
    width: int,
    settings: HeadSettings,
    generator: torch.Generator,
    noise: torch.Generator,
    columns: Columns | None = None,
) -> Head:
    """The head that ``settings`` names, for representations of that width.

    Args:
        width: F.
        settings: Its kind and size.
        generator: Where first weights come from.
        noise: Where dropout draws from.
        columns: Which process holds which columns of the representations; one holds all by default.
    """
    columns = columns or Columns.split(ALONE, width)
    if settings.kind == "dot":
        return DotHead(columns.group)
    if settings.kind == "cosine":
        return CosineHead(settings, columns.group)
    if settings.kind == "diagonal":
        return DiagonalHead(columns, generator)
    kind = MLPHead if settings.kind == "mlp" else ResidualHead
    return kind(columns, settings, generator, noise)


def keep_columns(layer: nn.Module, columns: Columns, *, dim: int) -> None:
    """Keep the rows (``dim`` 0, with the bias) or columns (1) of a linear layer that belong to this process."""
    linear_layer = cast("nn.Linear", layer)
    if columns.group.alone:
        return
    linear_layer.weight = nn.Parameter(columns.keep(linear_layer.weight.detach(), dim))
    if dim == 0:
        linear_layer.bias = nn.Parameter(columns.keep(linear_layer.bias.detach(), 0))


def _start_at_zero(layer: nn.Module) -> None:
    for parameter in layer.parameters():
        nn.init.zeros_(parameter)


def _inputs(columns: Columns, settings: HeadSettings) -> Columns:
    """What the first layer reads: products, differences, and numbers, which the first process reads."""
    inputs = Columns.split(columns.group, 0)
    for wanted in (settings.product, settings.difference):
        inputs = inputs.beside(columns) if wanted else inputs
    return inputs.beside(Columns.of_first(columns.group, count_numbers(settings)))
