"""A trained HL-GNN as the heuristic that it has learned (Proposition 4.1, Appendix C.2)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.errors import SettingsError
from hlgnn.formulation import Formulation, normalize
from hlgnn.models.propagation import Propagation

if TYPE_CHECKING:
    from hlgnn.graph import Graph
    from hlgnn.models import HLGNN


def learned_heuristic(model: HLGNN, graph: Graph) -> Formulation:
    """The H with Z = H X (Proposition 4.1): ``formula()`` prints it, ``scores`` gives H_ij of any pairs.

    Args:
        model: A trained model.
        graph: The message graph; mixtures of operators are divided by a bound that depends on it.

    Raises:
        SettingsError: If layers have matrices or activations of their own: they are no products of operators any more.

    Example:
        >>> from hlgnn.graph import karate_club
        >>> from hlgnn.models import HLGNN, HLGNNSettings, InputSettings, PropagationSettings
        >>> settings = HLGNNSettings(
        ...     input=InputSettings(source="embedding", embedding_width=4, hidden=0),
        ...     propagation=PropagationSettings(depth=2, beta_init="ki", beta_parameter=0.5),
        ... )
        >>> model = HLGNN(karate_club(), settings, torch.Generator().manual_seed(0))
        >>> learned_heuristic(model, karate_club()).formula()
        'H = I + 0.5 Ã_sym + 0.25 Ã_sym²'
    """
    propagation = model.propagation
    if not isinstance(propagation, Propagation):
        raise SettingsError(
            "A model with a matrix or an activation in each layer has not learned a heuristic.",
            where="propagation",
            hint="Train with transformation = false and activation = 'none'.",
        )
    messages = propagation.messages(normalize(graph.adjacency, dtype=torch.float32))
    return propagation.formulation(messages)
