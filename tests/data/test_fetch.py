"""Fetching whole data sets: single files, and archives that are unpacked."""

from __future__ import annotations

import hashlib
import io
import zipfile
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from hlgnn.data.cards import CORA
from hlgnn.data.dataset import DatasetCard, RemoteFile
from hlgnn.data.fetch import download_dataset, unpack
from hlgnn.errors import DatasetError

Web = Any  # of conftest.py


def sha256(content: bytes) -> tuple[str, ...]:
    return (hashlib.sha256(content).hexdigest(),)


def zipped(**content: bytes) -> bytes:
    return zipped_files({name.replace("__", "/"): data for name, data in content.items()})


def zipped_files(content: dict[str, bytes]) -> bytes:
    memory = io.BytesIO()
    with zipfile.ZipFile(memory, "w") as archive:
        archive.mkdir("top")
        for name, data in content.items():
            archive.writestr(name, data)
    return memory.getvalue()


@pytest.fixture
def single(web: Web) -> DatasetCard:
    web.files |= {"/a": b"one", "/b": b"two"}
    files = tuple(RemoteFile(name, f"{web.url}/{name}", sha256(web.files[f"/{name}"])) for name in "ab")
    return replace(CORA, folders=("Planetoid/Cora/raw",), files=files)


@pytest.fixture
def archived(web: Web) -> DatasetCard:
    web.files["/top.zip"] = zipped(top__raw__a=b"one", top__b=b"two", top__RELEASE=b"v1")
    files = tuple(
        RemoteFile(path, f"{web.url}/top.zip", sha256(content), archive_folder="top")
        for path, content in (("raw/a", b"one"), ("b", b"two"))
    )
    return replace(CORA, folders=("ogbl_top",), files=files)


def test_what_is_missing_is_fetched(web: Web, single: DatasetCard, tmp_path: Path) -> None:
    folder = tmp_path / "Planetoid/Cora/raw"
    folder.mkdir(parents=True)
    (folder / "a").write_bytes(b"one")
    assert download_dataset(single, tmp_path) == folder
    assert (folder / "b").read_bytes() == b"two"
    assert [path for path, _ in web.asked] == ["/b"]
    download_dataset(single, tmp_path, offline=True)  # nothing is missing: nothing is fetched
    assert len(web.asked) == 1


def test_a_damaged_file_is_reported_and_not_replaced(single: DatasetCard, tmp_path: Path) -> None:
    folder = download_dataset(single, tmp_path)
    (folder / "a").write_bytes(b"damaged")
    with pytest.raises(DatasetError, match="Delete it and run"):
        download_dataset(single, tmp_path)
    (folder / "a").unlink()
    download_dataset(single, tmp_path)
    assert (folder / "a").read_bytes() == b"one"


@pytest.mark.parametrize("by_environment", [False, True])
def test_offline_fetches_nothing(
    web: Web, single: DatasetCard, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, by_environment: bool
) -> None:
    if by_environment:
        monkeypatch.setenv("HLGNN_OFFLINE", "1")
    with pytest.raises(DatasetError, match="offline") as caught:
        download_dataset(single, tmp_path, offline=not by_environment)
    message = str(caught.value)
    assert f"{web.url}/a" in message
    assert str(tmp_path / "Planetoid/Cora/raw") in message
    assert web.asked == []
    assert list(tmp_path.iterdir()) == []


def test_an_archive_is_fetched_once_unpacked_and_removed(web: Web, archived: DatasetCard, tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    folder = download_dataset(archived, tmp_path, progress=lambda *call: calls.append(call))
    found = {str(path.relative_to(tmp_path)): path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    assert found == {"ogbl_top/raw/a": b"one", "ogbl_top/b": b"two", "ogbl_top/RELEASE": b"v1"}
    assert folder == tmp_path / "ogbl_top"
    assert len(web.asked) == 1
    assert {what for what, _, _ in calls} == {"Downloading top.zip", "Unpacking top.zip", "Checking Cora"}


def test_an_archive_that_was_put_there_by_hand_is_used(web: Web, archived: DatasetCard, tmp_path: Path) -> None:
    (tmp_path / "top.zip").write_bytes(web.files["/top.zip"])
    download_dataset(archived, tmp_path)
    assert web.asked == []


def test_the_checksum_of_an_archive_is_checked(web: Web, archived: DatasetCard, tmp_path: Path) -> None:
    files = tuple(replace(file, archive_sha256=sha256(b"other")) for file in archived.files)
    with pytest.raises(DatasetError, match="SHA-256"):
        download_dataset(replace(archived, files=files), tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_an_archive_that_was_put_there_by_hand_is_checked_and_kept(archived: DatasetCard, tmp_path: Path) -> None:
    files = tuple(replace(file, archive_sha256=sha256(b"other")) for file in archived.files)
    archive = tmp_path / "top.zip"
    archive.write_bytes(b"not the official one")
    with pytest.raises(DatasetError, match="not the official file"):
        download_dataset(replace(archived, files=files), tmp_path)
    assert archive.exists()


def test_an_archive_without_the_files_is_an_error(web: Web, archived: DatasetCard, tmp_path: Path) -> None:
    web.files["/top.zip"] = zipped(top__b=b"two")
    with pytest.raises(DatasetError, match="missing"):
        download_dataset(archived, tmp_path)


@pytest.mark.parametrize("name", ["top/../../evil", "/evil", "../evil", "other/evil", "top/..\\evil", "C:/evil"])
def test_members_that_lead_elsewhere_are_refused(name: str, tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    archive.write_bytes(zipped_files({"top/good": b"x", name: b"x"}))
    with pytest.raises(DatasetError, match="nothing was unpacked"):
        unpack(archive, "top", tmp_path / "inside" / "folder")
    assert list(tmp_path.iterdir()) == [archive]


def test_a_damaged_archive_leaves_no_half_file(tmp_path: Path) -> None:
    archive = tmp_path / "a.zip"
    content = zipped(top__a=b"0123456789" * 100)
    archive.write_bytes(content.replace(b"0123456789" * 100, b"0123456789" * 99 + b"damaged!!!"))
    with pytest.raises(DatasetError, match="damaged"):
        unpack(archive, "top", tmp_path / "folder")
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == [archive]
    archive.write_bytes(b"no archive")
    with pytest.raises(DatasetError, match="damaged"):
        unpack(archive, "top", tmp_path / "folder")


def test_one_of_several_fetches_and_the_others_wait(web: Web, archived: DatasetCard, tmp_path: Path) -> None:
    with ThreadPoolExecutor(4) as pool:
        folders = list(pool.map(lambda _: download_dataset(archived, tmp_path), range(4)))
    assert folders == [tmp_path / "ogbl_top"] * 4
    assert [path for path, *_ in web.asked].count("/top.zip") == 1
