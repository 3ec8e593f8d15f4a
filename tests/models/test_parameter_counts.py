"""Table 6: a linear layer to 256, L + 1 weights of orders, and a head of two layers of 256."""

import pytest
import torch

from hlgnn.graph import Graph, path
from toy_models import build


def count(graph: Graph, depth: int, **chosen: object) -> int:
    model = build(
        graph, input={"hidden": 256} | chosen, propagation={"depth": depth}, head={"hidden": 256, "layers": 2}
    )
    return sum(parameter.numel() for parameter in model.parameters() if parameter.requires_grad)


@pytest.mark.parametrize(
    ("width", "depth", "known", "printed"),
    [
        (1433, 20, 433_174, "433k"),  # Cora
        (3703, 20, 1_014_294, "1.01M"),  # Citeseer
        (500, 20, 194_326, "194k"),  # Pubmed
        (128, 15, 99_089, "99k"),  # ogbl-collab
    ],
)
def test_models_of_features(width: int, depth: int, known: int, printed: str) -> None:
    graph = Graph.from_edges(4, path(4).links, features=torch.ones(4, width))
    assert count(graph, depth) == known
    assert rounded(known) == printed


def test_the_model_of_ddi_has_embeddings_and_the_linear_layer() -> None:
    """4267 vectors of 256, 15 layers: with the linear layer it is the printed 1.22M, without it it would be 1.16M."""
    graph = Graph.from_edges(4267, path(3).links)
    with_layer = count(graph, 15, source="embedding", embedding_width=256)
    without = count(graph, 15, source="embedding", embedding_width=256, hidden=0)
    assert (with_layer, without) == (1_224_209, 1_158_417)
    assert (rounded(with_layer), rounded(without)) == ("1.22M", "1.16M")


def rounded(number: int) -> str:
    """As Table 6 prints it."""
    return f"{number / 1e6:.2f}M" if number >= 1e6 else f"{number / 1e3:.0f}k"


def test_learned_operators_add_three_weights_or_one_for_each_layer() -> None:
    graph, head = Graph.from_edges(4, path(4).links, features=torch.ones(4, 3)), {"kind": "dot"}

    def size(operators: str) -> int:
        model = build(graph, input={"hidden": 0}, propagation={"depth": 7, "operators": operators}, head=head)
        return sum(parameter.numel() for parameter in model.parameters())

    sizes = {name: size(name) for name in ("sym", "row", "col", "geometric", "mixture", "literal-mixture")}
    assert sizes == {"sym": 8, "row": 8, "col": 8, "geometric": 15, "mixture": 29, "literal-mixture": 29}
