"""The restricted unpickler: all that official files hold, and nothing that runs."""

import collections
import io
import os
import pickle
import subprocess
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from scipy.sparse import csr_array, csr_matrix

from hlgnn.data.safe_pickle import read_pickle, read_torch_pickle
from hlgnn.errors import DatasetError

ARRAYS = [
    np.arange(6, dtype=np.int64).reshape(2, 3),
    np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3)),
    np.array([[1, 200, 3]], dtype=np.uint8),
    np.array([1, 2**40], dtype=">i8"),
    np.array([True, False]),
    np.array(["word", "ä"]),
    np.array([b"ab", b"c"]),
    np.zeros((0, 2), dtype=np.int64),
    np.array(3.5),
]


class Evil:
    """Runs a command when it is unpickled."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> Any:
        return os.system, (f"touch {self.marker}",)


@pytest.mark.parametrize("protocol", [0, 1, 2, 3, 4])
@pytest.mark.parametrize("array", ARRAYS, ids=lambda array: f"{array.dtype}{array.shape}")
def test_arrays_survive(array: np.ndarray[Any, Any], protocol: int) -> None:
    found = read_pickle(pickle.dumps({"a": [array]}, protocol))["a"][0]
    assert found.dtype == array.dtype
    np.testing.assert_array_equal(found, array)


def test_old_names_and_old_booleans_raise_no_warning() -> None:
    """As numpy 1 and Python 2 wrote it: numpy.core, and 0 and 1 for align and copy."""
    array = np.array([[1, 250], [3, 4]], dtype=np.int32)
    stream = pickle.dumps(array, 2).replace(b"numpy._core.multiarray", b"numpy.core.multiarray")
    stream = stream.replace(b"i4q\x03\x89\x88", b"i4q\x03K\x00K\x01")
    np.testing.assert_array_equal(read_pickle(stream), array)


def test_sparse_rows_become_a_float32_array() -> None:
    matrix = csr_matrix(np.array([[0, 1.5], [2, 0]]))
    for module in (b"scipy.sparse._csr", b"scipy.sparse.csr"):
        found = read_pickle(pickle.dumps(matrix, 2).replace(b"scipy.sparse._csr", module))
        assert type(found) is csr_array
        assert found.dtype == np.float32
        np.testing.assert_array_equal(found.toarray(), matrix.toarray())


def test_containers_and_scalars_survive() -> None:
    graph = collections.defaultdict(list, {0: [1, 2], 1: [0]})
    assert read_pickle(pickle.dumps(graph, 2)) == {0: [1, 2], 1: [0]}
    assert read_pickle(pickle.dumps({"n": np.int64(7), "t": (1, "a", None)})) == {"n": 7, "t": (1, "a", None)}


@pytest.mark.parametrize("protocol", [0, 2, 4])
def test_a_malicious_pickle_is_refused_before_anything_runs(tmp_path: Path, protocol: int) -> None:
    marker = tmp_path / "marker"
    with pytest.raises(DatasetError, match=r"posix\.system|nt\.system"):
        read_pickle(pickle.dumps([Evil(marker)], protocol))
    assert not marker.exists()


@pytest.mark.parametrize("zipped", [False, True])
def test_a_malicious_torch_file_is_refused_before_anything_runs(tmp_path: Path, *, zipped: bool) -> None:
    path, marker = tmp_path / "evil.pt", tmp_path / "marker"
    torch.save({"edge": Evil(marker)}, path, _use_new_zipfile_serialization=zipped)
    with pytest.raises(DatasetError, match="system") as caught:
        read_torch_pickle(path)
    assert caught.value.where == str(path)
    assert not marker.exists()


@pytest.mark.parametrize(
    "thing", [subprocess.Popen, np.frombuffer, getattr, eval, torch.tensor([1]), np.matrix, io.BytesIO]
)
def test_every_other_name_is_refused(thing: object) -> None:
    with pytest.raises(DatasetError, match=r"refused|damaged"):
        read_pickle(pickle.dumps(thing))


def test_arrays_of_objects_are_refused() -> None:
    with pytest.raises(DatasetError, match="refused"):
        read_pickle(pickle.dumps(np.array([1, "a"], dtype=object)))
    with pytest.raises(DatasetError, match="refused"):
        read_pickle(pickle.dumps(np.zeros(2, dtype=[("a", int)])))


def test_other_codecs_are_refused() -> None:
    with pytest.raises(DatasetError, match="codec"):
        read_pickle(b"c_codecs\nencode\n(S'x'\nS'zlib'\ntR.")


def test_a_pickle_cannot_change_what_the_next_one_is_given() -> None:
    """BUILD sets attributes of whatever is on the stack, classes included."""
    poison = b"cscipy.sparse.csr\ncsr_matrix\n(N(dS'finished'\nS'x'\nstb."
    read_pickle(poison)
    matrix = csr_matrix(np.eye(2))
    assert read_pickle(pickle.dumps(matrix, 2)).shape == (2, 2)
    with pytest.raises(DatasetError):
        read_pickle(b"c__builtin__\nlist\n(N(dS'append'\nS'x'\nstb.")


@pytest.mark.parametrize("content", [b"", b"garbage", pickle.dumps(ARRAYS[0])[:-20], b"\x80\x02N", b"I1\n0."])
def test_a_damaged_pickle_is_a_dataset_error(content: bytes) -> None:
    with pytest.raises(DatasetError, match="damaged"):
        read_pickle(content)


def test_every_beginning_of_a_pickle_is_a_dataset_error() -> None:
    content = pickle.dumps({"edge": np.arange(4), "rows": csr_matrix(np.eye(2))}, 2)
    for stop in range(len(content)):
        with pytest.raises(DatasetError):
            read_pickle(content[:stop])


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize("protocol", [2, 4])
def test_torch_files_of_numpy_dictionaries(tmp_path: Path, *, zipped: bool, protocol: int) -> None:
    path = tmp_path / "split.pt"
    content: dict[str, np.ndarray[Any, Any]] = {
        "edge": np.arange(600).reshape(300, 2),
        "weight": np.ones(300, dtype=np.float32),
    }
    torch.save(content, path, _use_new_zipfile_serialization=zipped, pickle_protocol=protocol)
    found = read_torch_pickle(path)
    assert found.keys() == content.keys()
    for name, array in content.items():
        assert found[name].dtype == array.dtype
        np.testing.assert_array_equal(found[name], array)


@pytest.mark.parametrize("zipped", [False, True])
def test_torch_files_of_tensors_are_refused(tmp_path: Path, *, zipped: bool) -> None:
    path = tmp_path / "split.pt"
    torch.save({"edge": torch.ones(3)}, path, _use_new_zipfile_serialization=zipped)
    with pytest.raises(DatasetError, match=r"torch\._utils"):
        read_torch_pickle(path)


def test_files_that_torch_did_not_write(tmp_path: Path) -> None:
    path = tmp_path / "split.pt"
    path.write_bytes(pickle.dumps(1) + pickle.dumps(2) + pickle.dumps(3) + pickle.dumps({}))
    with pytest.raises(DatasetError, match=r"torch\.save"):
        read_torch_pickle(path)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("other", "text")
    with pytest.raises(DatasetError, match=r"torch\.save"):
        read_torch_pickle(path)
    path.write_bytes(path.read_bytes()[:20])
    with pytest.raises(DatasetError, match="damaged"):
        read_torch_pickle(path)
