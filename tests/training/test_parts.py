"""A batch in parts: the same loss and gradients as in one piece, for every method whose pairs do not see each other."""

from typing import Any

import pytest
import torch
from torch.testing import assert_close

from hlgnn.catalog import MODELS
from hlgnn.models import LinkModel
from hlgnn.seeds import Seeds
from hlgnn.training import parts
from hlgnn.training.fit import Training
from hlgnn.training.objectives import OBJECTIVES
from hlgnn.training.train_settings import TrainSettings
from toy_models import community_split

SINGLE_PRECISION = {"gcn", "neo-gnn", "ncn"}  # as their matrices are


def gradients(method: str, objective: str, negatives: int) -> tuple[int, torch.Tensor, dict[str, torch.Tensor]]:
    """How many parts the first batch has, its loss, and its gradients by name."""
    split = community_split()
    card, chosen = MODELS[method], {} if method == "mf" else {"input": {"source": "embedding", "embedding_width": 8}}
    model = card.build(split.graph, card.settings.model_validate(chosen), torch.Generator().manual_seed(0))
    model = model if method in SINGLE_PRECISION else model.double()
    for module in model.modules():
        if hasattr(module, "share"):
            module.share = 0.0  # other parts draw other noise
    settings = TrainSettings(objective=objective, negatives=negatives, both_directions=True)
    training = Training(model, split, settings, default_metric="auc", seeds=Seeds(0))
    state = model.encode(model.prepare(split.graph))
    made = training._sampled_parts(state, torch.arange(len(split.train)))
    loss, learned = parts.learn_in_parts(model, state, made)
    assert learned
    return len(made), loss, {name: each.grad for name, each in model.named_parameters() if each.grad is not None}


@pytest.mark.parametrize("method", ["mf", "gcn", "mlp", "neo-gnn", "ncn", "hlgnn"])
@pytest.mark.parametrize("objective", list(OBJECTIVES))
@pytest.mark.parametrize("negatives", [1, 3])
def test_parts_add_up_to_the_whole(
    method: str, objective: str, negatives: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, loss, whole = gradients(method, objective, negatives)
    monkeypatch.setattr(parts, "LARGE", 1)
    monkeypatch.setattr(parts, "FITTING", 1)
    several, summed, added = gradients(method, objective, negatives)
    assert one == 1
    assert several > 1
    bounds = {"rtol": 1e-3, "atol": 1e-5} if method in SINGLE_PRECISION else {"rtol": 1e-10, "atol": 1e-12}
    assert_close(summed, loss, **bounds)
    assert whole.keys() == added.keys()
    for name, gradient in whole.items():
        assert_close(added[name], gradient, **bounds, msg=lambda text, name=name: f"{name}: {text}")


class Alone(torch.nn.Module):
    """A model whose pairs do not see each other."""

    reads_batch = False

    def encoded(self, state: Any) -> Any:
        return (state,) if isinstance(state, torch.Tensor) else None


class Batched(Alone):
    """One whose pairs do, through a normalisation."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = torch.nn.BatchNorm1d(4)


def size(model: torch.nn.Module, state: Any, positives: int, negatives: int = 1) -> int:
    taken: LinkModel[Any, Any] = model  # type: ignore[assignment]
    return parts.part_size(taken, state, positives, negatives)


def test_only_large_batches_of_separate_pairs_are_cut() -> None:
    table = torch.zeros(100, 256)
    enough = parts.LARGE // (2 * 256 * 4)
    assert size(Alone(), table, enough) == enough
    assert size(Alone(), table, enough + 1) <= parts.FITTING // (2 * 256 * 4) + 1
    assert size(Batched(), table, enough + 1) == enough + 1
    assert size(Alone(), (table,), enough + 1) == enough + 1


@pytest.mark.parametrize("state", [torch.tensor(1.0), torch.zeros(5), torch.zeros(5, 2, 3), [torch.zeros(5, 2)], None])
def test_states_that_are_no_table_are_left_whole(state: Any) -> None:
    assert LinkModel.encoded(Alone(), state) is None  # type: ignore[arg-type]


def test_a_part_is_not_smaller_than_the_table() -> None:
    table = torch.zeros(50_000, 256)
    assert 2 * size(Alone(), table, 10**6) >= len(table)
