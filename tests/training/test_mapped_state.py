"""Vectors and moments in files: the same numbers, and nothing left on the disk."""

from pathlib import Path

import pytest
import torch

from hlgnn.mapped import mapped_copy, mapped_zeros
from hlgnn.seeds import Seeds
from hlgnn.training import mapped_state
from hlgnn.training.checkpoint import load_training, save_training
from hlgnn.training.fit import Training
from hlgnn.training.train_settings import TrainSettings
from toy_models import build, community_split


def training() -> Training:
    split = community_split()
    model = build(split.graph, input={"source": "embedding", "embedding_width": 6}, propagation={"depth": 2})
    return Training(model, split, TrainSettings(epochs=4), default_metric="auc", seeds=Seeds(0))


def is_mapped(tensor: torch.Tensor) -> bool:
    """Whether the system says that a file is behind the numbers."""
    address = tensor.data_ptr()
    for line in Path("/proc/self/maps").read_text(encoding="ascii").splitlines():
        span, _, _, _, inode, *_ = line.split()
        start, stop = (int(each, 16) for each in span.split("-"))
        if start <= address < stop:
            return inode != "0"
    return False


@pytest.mark.parametrize("when", [0, 2])
def test_training_in_files_ends_with_the_same_bits(when: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Moved before the first step, or between two."""
    monkeypatch.setattr(mapped_state, "LEAST", 1)
    plain, mapped = training(), training()
    for epoch in range(4):
        if epoch == when:
            mapped_state.map_state(mapped, tmp_path)
        assert mapped.run_epoch().loss == plain.run_epoch().loss
    for name, value in mapped.model.state_dict().items():
        assert torch.equal(value, plain.model.state_dict()[name]), name
        assert torch.equal(mapped.best_weights[name], plain.best_weights[name]), name
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not Path("/proc/self/maps").is_file(), reason="the system does not tell")
def test_large_tensors_are_in_files_and_stay_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped_state, "LEAST", 48 * 6)
    mapped = training()
    mapped_state.map_state(mapped, tmp_path)
    mapped.run_epoch()
    vectors = mapped.model.embedding
    assert is_mapped(vectors.data)
    assert is_mapped(mapped.best_weights["embedding"])
    assert all(is_mapped(mapped.optimizer.state[vectors][name]) for name in ("exp_avg", "exp_avg_sq"))
    assert not is_mapped(mapped.model.propagation.beta.data)
    before = vectors.data_ptr()
    mapped.restore_best()
    assert vectors.data_ptr() == before


def test_a_checkpoint_of_either_is_one_of_the_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mapped_state, "LEAST", 1)
    plain, mapped = training(), training()
    mapped_state.map_state(mapped)
    mapped.run_epoch()
    save_training(tmp_path / "checkpoint", mapped)
    load_training(tmp_path / "checkpoint", plain)
    assert plain.run_epoch().loss == mapped.run_epoch().loss


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (2, 3), (5,)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64, torch.int64])
def test_a_copy_has_the_same_numbers(shape: tuple[int, ...], dtype: torch.dtype, tmp_path: Path) -> None:
    x = torch.arange(torch.Size(shape).numel()).view(shape).to(dtype)
    copy = mapped_copy(x, tmp_path)
    assert torch.equal(copy, x)
    assert copy.dtype == dtype
    assert copy.data_ptr() != x.data_ptr() or x.numel() == 0
    assert torch.equal(mapped_zeros(shape, dtype), torch.zeros(shape, dtype=dtype))
    assert list(tmp_path.iterdir()) == []
