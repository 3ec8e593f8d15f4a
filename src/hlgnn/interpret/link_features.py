"""Which columns of the features two nodes agree in, once their neighbourhoods are taken into account."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.interpret.link_encoder import SHORTEST

if TYPE_CHECKING:
    from hlgnn.interpret.link_encoder import LinkEncoder, LinkEnds


@dataclass(frozen=True)
class FeatureShare:
    """A column of the raw features.

    Attributes:
        column: Its number.
        agreement: Its part of ⟨H R_i, H R_j⟩, or of the cosine if the head reads cosines; R is before the reduction and
            the linear layer.
        contribution: Its part of the score before the head, through the reduction and the linear layer.
        first: Its value in H R at the first end.
        second: Its value in H R at the second end.
    """

    column: int
    agreement: float
    contribution: float
    first: float
    second: float


@dataclass(frozen=True)
class LinkFeatures:
    """Exact decompositions by columns of what the features say.

    Attributes:
        agreement: ⟨H R_i, H R_j⟩, or its cosine: the sum of the agreements of all columns.
        contribution: The part of the score before the head that comes from features: the sum of all contributions.
        rest: The other part: learned vectors and the bias of the linear layer.
        columns: Those that agree or disagree most, by size.
        note: What there is to know about them.
    """

    agreement: float
    contribution: float
    rest: float
    columns: tuple[FeatureShare, ...]
    note: str

    def to_dict(self) -> dict[str, Any]:
        """For a program."""
        return {**asdict(self), "columns": [asdict(column) for column in self.columns]}


def link_features(encoder: LinkEncoder, ends: LinkEnds, count: int) -> LinkFeatures:
    """The columns with the largest part of ⟨H R_i, H R_j⟩ (Sect. 4.1); none if the model reads no features."""
    halves = encoder.input.beside(ends.rows) * ends.directions / 2  # (2, F)
    rest = float(halves.sum())
    if encoder.input.raw is None:
        return LinkFeatures(0.0, 0.0, rest, (), "The model reads no features: it has a learned vector for each node.")
    values = encoder.input.columns(ends.rows)  # (2, C)
    agreement = values[0] * values[1]  # (C,)
    if encoder.kind == "cosine":
        agreement = agreement / values.norm(dim=1).clamp(min=SHORTEST).prod()
    directions = encoder.input.directions(ends.directions.T.contiguous())  # (C, 2)
    contribution = (values.T * directions).sum(dim=1) / 2  # (C,)
    order = agreement.abs().sort(descending=True, stable=True).indices[:count]
    table = torch.stack([agreement, contribution, values[0], values[1]], dim=1)  # (C, 4)
    chosen = [(column, table[column].tolist()) for column in order.tolist() if agreement[column] != 0]
    columns = tuple(FeatureShare(column, *numbers) for column, numbers in chosen)
    return LinkFeatures(float(agreement.sum()), float(contribution.sum()), rest, columns, _note(encoder))


def _note(encoder: LinkEncoder) -> str:
    steps = ["the reduction by singular vectors"] if encoder.input.basis is not None else []
    steps += ["the linear layer"] if encoder.input.weight is not None else []
    if not steps:
        return "Columns are read by the model as they are."
    return f"Columns are compared before {' and '.join(steps)}; their contributions are exact beyond it."
