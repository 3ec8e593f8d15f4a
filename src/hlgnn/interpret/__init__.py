"""What a trained HL-GNN has learned, as a formula, a known heuristic, plain words and pictures."""

from hlgnn.interpret.describe import Description, describe
from hlgnn.interpret.explain_link import LinkExplanation, explain_link
from hlgnn.interpret.learned_heuristic import learned_heuristic
from hlgnn.interpret.link_drawing import draw_link
from hlgnn.interpret.link_encoder import LinkEncoder, link_encoder
from hlgnn.interpret.nearest_heuristic import Nearest, nearest_heuristic
from hlgnn.interpret.order_weights import OrderWeights, order_weights
from hlgnn.interpret.plots import plot_order_weights, plot_response, plot_weights
from hlgnn.interpret.response import frequency_response, has_response

__all__ = [
    "Description",
    "LinkEncoder",
    "LinkExplanation",
    "Nearest",
    "OrderWeights",
    "describe",
    "draw_link",
    "explain_link",
    "frequency_response",
    "has_response",
    "learned_heuristic",
    "link_encoder",
    "nearest_heuristic",
    "order_weights",
    "plot_order_weights",
    "plot_response",
    "plot_weights",
]
