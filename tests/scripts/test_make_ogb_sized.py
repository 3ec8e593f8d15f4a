"""Random data of OGB's sizes in OGB's layout: what is written is read as official data are."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest
import torch

from hlgnn.catalog import DATASETS
from hlgnn.data import PROTOCOLS, make_split
from hlgnn.data.ogb import load_ogb
from hlgnn.data.own_targets import OwnTargets
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.train import train_run
from hlgnn.settings import override

SCRIPT = Path(__file__).parents[2] / "scripts/make_ogb_sized.py"
SHARE = 0.002


@pytest.fixture(scope="module")
def script() -> ModuleType:
    spec = importlib.util.spec_from_file_location("make_ogb_sized", SCRIPT)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", ["ogbl-collab", "ogbl-ppa", "ogbl-citation2"])
def test_the_loader_reads_the_official_numbers(script: ModuleType, tmp_path: Path, name: str) -> None:
    card = DATASETS[name]
    graph = script.write_sized(card, tmp_path, SHARE, seed=3)
    dataset = load_ogb(card, tmp_path)
    official = dataset.official
    assert official is not None
    sizes = {
        "train links": len(official.train),
        "valid links": len(official.valid.positive),
        "test links": len(official.test.positive),
        "valid negatives": official.valid.negative_shape.numel(),
        "test negatives": official.test.negative_shape.numel(),
    }
    stated = {part: round(SHARE * count) for part, count in card.counts.items()}
    for part, count in sizes.items():
        assert count == pytest.approx(stated[part], abs=1000), part
    assert dataset.graph.num_nodes == graph.num_nodes == round(SHARE * card.num_nodes)
    assert dataset.graph.num_features == card.num_features
    assert dataset.graph.num_links == len(official.train)
    parts = torch.cat([official.train, official.valid.positive, official.test.positive])
    assert torch.equal(dataset.graph.with_links(parts).links, graph.links)
    assert (dataset.time is not None) == (official.weight is not None) == (name == "ogbl-collab")
    assert isinstance(official.test, OwnTargets) == (name == "ogbl-citation2")
    if name == "ogbl-ppa":
        assert isinstance(dataset.graph.features, torch.Tensor)
        assert (dataset.graph.features.sum(dim=1) == 1).all()
    split = make_split(dataset, PROTOCOLS[card.protocols[-1]], 0)
    assert not split.graph.has_links(split.test.positive).any()


def test_the_same_seed_writes_the_same(script: ModuleType, tmp_path: Path) -> None:
    card = DATASETS["ogbl-ppa"]
    first, second, other = (
        script.write_sized(card, tmp_path / name, SHARE, seed) for name, seed in [("a", 1), ("b", 1), ("c", 2)]
    )
    assert torch.equal(first.links, second.links)
    assert not torch.equal(first.degree, other.degree)
    left, right = (load_ogb(card, tmp_path / name).official for name in ("a", "b"))
    assert left is not None
    assert right is not None
    assert torch.equal(left.train, right.train)
    assert torch.equal(left.test.negative, right.test.negative)


def test_citations_are_trained_and_ranked_in_blocks_under_a_budget(
    script: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """From the files of OGB's layout to the official metric; the pairs of all candidates are never asked for."""
    card = DATASETS["ogbl-citation2"]
    script.write_sized(card, tmp_path / "data", 0.0005, seed=3)
    monkeypatch.setenv("HLGNN_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(OwnTargets, "negative", property(lambda _: pytest.fail("all pairs at once")))
    values = {"dataset": card.name, "protocol": "ogb", "memory": 1 << 40}
    changes = ["model.input.hidden=8", "model.propagation.depth=2", "model.head.hidden=8", "train.epochs=1"]
    run = train_run(override(make_run_settings(values), changes), tmp_path / "run")
    result = run.result()
    assert result["metric"] == "mrr"
    assert 0 < result["test"]["mrr"] <= 1
    assert set(result["test"]) == {"mrr", "hits@1", "hits@3", "hits@10", "hits@20", "hits@50", "hits@100", "auc", "ap"}
