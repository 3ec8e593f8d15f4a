"""Several HL-GNNs at once: the mean of members that learn apart and read the same numbers."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from hlgnn.graph import Graph, karate_club
from hlgnn.jobs.presets import settings_for
from hlgnn.jobs.train import load_run, train_run
from hlgnn.models import HLGNN, HLGNNSettings
from hlgnn.models.ensemble import EnsembleSettings, HLGNNEnsemble

READS = {
    "input": {"source": "features", "svd": 4, "hidden": 0},
    "propagation": {"depth": 3},
    "head": {"kind": "residual", "hidden": 8, "pair_features": True, "order_matrix": [0, 1, 2], "walks": 3},
}
"""A head with numbers of the pair, on fixed features."""
LEARNS = {"input": {"source": "embedding", "embedding_width": 6, "hidden": 4}, "head": {"kind": "mlp", "hidden": 8}}
"""Learned vectors, and a perceptron of their products."""
PAIRS = torch.tensor([[0, 1], [2, 33], [5, 9], [16, 4]])


def described() -> Graph:
    club = karate_club()
    return Graph(club.adjacency, club.node_ids, torch.randn(34, 9, generator=torch.Generator().manual_seed(0)))


def ensemble(values: dict[str, object], members: int) -> HLGNNEnsemble:
    settings = EnsembleSettings.model_validate({**values, "members": members})
    model = HLGNNEnsemble(described(), settings, torch.Generator().manual_seed(1))
    with torch.no_grad():  # last layers start at zero, where all members would be the same
        for parameter in model.parameters():
            drawn = torch.randn(parameter.shape, generator=torch.Generator().manual_seed(parameter.numel()))
            parameter.add_(0.1 * drawn)
    return model.eval()


@pytest.mark.parametrize("values", [READS, LEARNS])
def test_the_score_is_the_mean_of_what_members_say_alone(values: dict[str, object]) -> None:
    graph, model = described(), ensemble(values, 3)
    found = model.score(model.encode(model.prepare(graph)), PAIRS)
    alone = []
    for member in model.members:
        single = HLGNN(graph, HLGNNSettings.model_validate(values), torch.Generator().manual_seed(7)).eval()
        kept = {name: each for name, each in model.first.state_dict().items() if name not in member.state_dict()}
        single.load_state_dict(member.state_dict() | kept)  # all that a model has is the member's, or kept by the first
        alone.append(single.score(single.encode(single.prepare(graph)), PAIRS))
    torch.testing.assert_close(found, torch.stack(alone).mean(dim=0))
    assert all(not torch.equal(alone[0], each) for each in alone[1:])


def test_an_ensemble_of_one_is_the_model_itself() -> None:
    graph = described()
    one = HLGNNEnsemble(
        graph, EnsembleSettings.model_validate({**READS, "members": 1}), torch.Generator().manual_seed(3)
    )
    same = HLGNN(graph, HLGNNSettings.model_validate(READS), torch.Generator().manual_seed(3))
    kept = {name.removeprefix("first."): each for name, each in one.state_dict().items()}
    assert kept.keys() == same.state_dict().keys()
    assert all(torch.equal(kept[name], each) for name, each in same.state_dict().items())
    expected = same.score(same.encode(same.prepare(graph)), PAIRS)
    assert torch.equal(one.score(one.encode(one.prepare(graph)), PAIRS), expected)


def test_what_is_fitted_is_kept_once() -> None:
    model = ensemble(READS, 4)
    fitted = [name for name in model.state_dict() if "preparation" in name or "pair_reader" in name]
    assert fitted
    assert all(name.startswith("first.") for name in fitted)
    assert all(member.views is model.first.views for member in model.members)


def test_each_member_learns_from_its_own_loss() -> None:
    model = ensemble(READS, 3).train()
    scores = model.trained_scores(model.encode(model.prepare(described())), PAIRS)
    scores[1].sum().backward()
    moved = [any(each.grad is not None and each.grad.any() for each in member.parameters()) for member in model.members]
    assert moved == [False, True, False]


def test_a_run_is_saved_and_read_again(tmp_path: Path) -> None:
    changes = ["train.epochs=1", "train.folds=2", "model.members=2", "model.head.similar=[]"]
    settings = settings_for("cora", model_name="hlgnn-ensemble", changes=changes)
    assert settings.model.head.metric  # the preset is that of HL-GNN
    run = train_run(settings, tmp_path / "run")
    work = load_run(run)
    model = work.model.eval()
    with torch.no_grad():
        scores = model.score(model.encode(model.prepare(work.split.graph)), work.split.test.positive)
    negative = model.score(model.encode(model.prepare(work.split.graph)), work.split.test.negative)
    above = (scores > negative.topk(100).values[-1]).double().mean()
    assert float(above) == pytest.approx(run.result()["test"]["hits@100"])
