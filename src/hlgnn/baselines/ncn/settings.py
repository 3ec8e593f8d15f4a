"""What can be chosen about NCN and NCNC."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from hlgnn.baselines.node_input import NodeInputSettings
from hlgnn.models.settings import Share, Width  # noqa: TC001 - pydantic reads them
from hlgnn.settings import Settings


class NCNSettings(Settings):
    """Node representations from weightless propagation, and a head on two ends and their common neighbours.

    Attributes:
        input: X.
        hidden: The width of representations and of hidden layers.
        layers: How many propagations follow the linear map.
        operator: ``sym`` propagates by D̃^-½ (A + I) D̃^-½, ``sum`` by A.
        residual: Whether each propagation adds what it started from.
        dropout: The share of entries that are dropped after the linear map.
        tail_dropout: The same after the last propagation.
        head_dropout: The same in the head.
        link_dropout: The share of links that are no common neighbours in training.
        transform: Whether common neighbours are mapped by a perceptron of their own before they are summed.
        tail_activation: Whether the maps of the ends and of the sum end in a ReLU, and not in a linear layer.
        deep_head: Whether the last perceptron has two hidden layers, and not one.
    """

    input: NodeInputSettings = NodeInputSettings()
    hidden: Width = 256
    layers: Annotated[int, Field(ge=0, le=64)] = 1
    operator: Literal["sym", "sum"] = "sym"
    residual: bool = False
    dropout: Share = 0.05
    tail_dropout: Share = 0.3
    head_dropout: Share = 0.05
    link_dropout: Share = 0.0
    transform: bool = True
    tail_activation: bool = True
    deep_head: bool = False


class NCNCSettings(NCNSettings):
    """NCN with completion.

    Attributes:
        prior: π, the weight of a link beforehand.
        scale: What the logit of a missing link is multiplied by.
        offset: What is taken away from it first.
        share: What a completed neighbour is worth at most; 0 is NCN.
    """

    prior: Annotated[float, Field(gt=0.0)] = 0.5
    scale: float = 5.0
    offset: float = 2.0
    share: Annotated[float, Field(ge=0.0)] = 0.5
