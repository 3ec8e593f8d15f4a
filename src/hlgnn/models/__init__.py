"""HL-GNN and the contract that it shares with every other method."""

from hlgnn.models.card import ModelCard
from hlgnn.models.head import CosineHead, DiagonalHead, DotHead, Head, MLPHead, ResidualHead, build_head
from hlgnn.models.hlgnn import HLGNN
from hlgnn.models.link_model import LinkModel
from hlgnn.models.product_form import ProductForm
from hlgnn.models.propagation import Messages, Propagation
from hlgnn.models.settings import HeadSettings, HLGNNSettings, InputSettings, PropagationSettings

__all__ = [
    "HLGNN",
    "CosineHead",
    "DiagonalHead",
    "DotHead",
    "HLGNNSettings",
    "Head",
    "HeadSettings",
    "InputSettings",
    "LinkModel",
    "MLPHead",
    "Messages",
    "ModelCard",
    "ProductForm",
    "Propagation",
    "PropagationSettings",
    "ResidualHead",
    "build_head",
]
