"""A way to train in less memory: which path, what is kept of layers, how many columns at once, what lives in files."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any, Literal

import torch

from hlgnn.formulation.layer_storage import Layers, LayerStorage
from hlgnn.models.propagation import Propagation

if TYPE_CHECKING:
    from pathlib import Path as Folder

    from hlgnn.models.hlgnn import HLGNN
    from hlgnn.models.paths import Path

KEPT = {"all": "every layer kept", "root": "3 √L layers kept", "none": "no layer kept"}


@dataclass(frozen=True)
class MemoryPlan:
    """One of the ways; all give the same numbers, up to rounding.

    Attributes:
        path: How Z is computed.
        layers: What is kept of the layers where operators are learned.
        precision: What kept layers are stored in.
        columns: How many columns are propagated at a time; 0 is as many as are fastest.
        mapped: Whether learned vectors, the state of the optimiser, the best weights and prepared features live in
            files without a name.
    """

    path: Path = "plain"
    layers: Layers = "root"
    precision: Literal["float32", "bfloat16"] = "float32"
    columns: int = 0
    mapped: bool = False

    @property
    def storage(self) -> LayerStorage:
        """As propagation is told."""
        return LayerStorage(self.layers, torch.bfloat16 if self.precision == "bfloat16" else None, self.columns)

    def words(self, *, learned: bool) -> str:
        """What a person is told; ``learned`` is whether operators are."""
        if self.path != "plain":
            said = [{"once": "all A^l X kept", "spectral": "eigenvectors of the operator kept"}[self.path]]
        else:
            said = ["products in every step"] + ([KEPT[self.layers]] if learned else [])
            said += ["layers in bfloat16"] if self.precision == "bfloat16" else []
            said += [f"{self.columns} columns at a time"] if self.columns else []
        return ", ".join(said + (["learned vectors and their state in files"] if self.mapped else []))

    def document(self) -> dict[str, Any]:
        """As JSON holds it."""
        return asdict(self)


def apply_plan(model: HLGNN, plan: MemoryPlan, folder: Folder | None = None) -> None:
    """Let ``model`` prepare and propagate as the plan says; its weights and what it computes stay what they are."""
    settings = model.settings.model_copy(update={"path": plan.path, "memory": max(model.settings.memory, 1 << 62)})
    model.settings = settings
    if isinstance(model.propagation, Propagation):
        exact = settings.precision == "float32" and model.propagation.fixed_operator is not None
        model.propagation.keeping = replace(plan.storage, dtype=None) if exact else plan.storage
    if model.preparation is not None and plan.mapped:
        model.preparation.folder = folder
        model.preparation.mapped = True
