"""Finding the official files, and noticing when they are not what they should be."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import replace
from pathlib import Path

import pytest

from hlgnn.data.cards import CITESEER, CORA, PHOTO
from hlgnn.data.dataset import DatasetCard, RemoteFile
from hlgnn.data.official_files import locate, missing_files, require_file, require_files
from hlgnn.data.ogb_cards import DDI, PPA
from hlgnn.errors import DatasetError


def sha256(content: bytes) -> tuple[str, ...]:
    return (hashlib.sha256(content).hexdigest(),)


@pytest.fixture
def card() -> DatasetCard:
    files = (
        RemoteFile("a", "https://example.org/a", sha256(b"one")),
        RemoteFile("b/c", "https://example.org/c", (*sha256(b"two"), *sha256(b"also two"))),
    )
    return replace(CORA, folders=("ours", "theirs"), files=files)


def fill(folder: Path, **content: bytes) -> None:
    for name, data in content.items():
        path = folder / name.replace("_", "/")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def test_an_empty_home_means_our_own_layout(card: DatasetCard, tmp_path: Path) -> None:
    assert locate(card, tmp_path) == tmp_path / "ours"
    assert missing_files(card, tmp_path) == card.files


def test_the_fullest_folder_is_used(card: DatasetCard, tmp_path: Path) -> None:
    fill(tmp_path / "ours", a=b"one")
    fill(tmp_path / "theirs", a=b"one", b_c=b"two")
    assert locate(card, tmp_path) == tmp_path / "theirs"
    assert missing_files(card, tmp_path) == ()


@pytest.mark.parametrize(
    ("card", "folder"),
    [
        (CORA, "Planetoid/Cora/raw"),
        (CORA, "Cora/raw"),
        (CORA, "cora/Cora/raw"),
        (CORA, "cora/raw"),
        (CITESEER, "Planetoid/CiteSeer/raw"),
        (CITESEER, "Citeseer/raw"),
        (CITESEER, "citeseer/CiteSeer/raw"),
        (PHOTO, "Amazon/Photo/raw"),
        (PHOTO, "Photo/raw"),
        (DDI, "ogbl_ddi"),
        (DDI, "ogb/ogbl_ddi"),
        (DDI, "dataset/ogbl_ddi"),
    ],
)
def test_folders_of_other_libraries_are_found(card: DatasetCard, folder: str, tmp_path: Path) -> None:
    path = tmp_path / folder / card.files[0].path
    path.parent.mkdir(parents=True)
    path.touch()
    assert locate(card, tmp_path) == tmp_path / folder


def test_all_accepted_contents_pass(card: DatasetCard, tmp_path: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    for two in (b"two", b"also two"):
        fill(tmp_path / "ours", a=b"one", b_c=two)
        paths = require_files(card, tmp_path, lambda *call: calls.append(call))
        assert paths == {"a": tmp_path / "ours/a", "b/c": tmp_path / "ours/b/c"}
    assert calls[-1] == ("Checking Cora", 2, 2)


def test_a_missing_file_names_itself_its_address_and_its_place(card: DatasetCard, tmp_path: Path) -> None:
    fill(tmp_path / "ours", a=b"one")
    with pytest.raises(DatasetError) as caught:
        require_files(card, tmp_path)
    message = str(caught.value)
    for part in ("ours/b/c", "https://example.org/c", str(tmp_path / "ours/b"), "hlgnn data download cora"):
        assert part in message


def test_a_missing_file_of_an_archive_says_how_to_unpack_it(tmp_path: Path) -> None:
    with pytest.raises(DatasetError) as caught:
        require_files(PPA, tmp_path)
    message = str(caught.value)
    for part in ("ppassoc.zip", "'ppassoc'", str(tmp_path / "ogbl_ppa")):
        assert part in message


def test_a_wrong_checksum_names_both_and_what_to_do(card: DatasetCard, tmp_path: Path) -> None:
    fill(tmp_path / "ours", a=b"one!", b_c=b"two")
    with pytest.raises(DatasetError) as caught:
        require_files(card, tmp_path)
    message = str(caught.value)
    for part in ("ours/a", *sha256(b"one"), *sha256(b"one!"), "Delete it", "hlgnn data download cora"):
        assert part in message


def test_a_file_without_a_known_checksum_is_noticed(
    card: DatasetCard, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    fill(tmp_path, a=b"anything")
    with caplog.at_level(logging.INFO, logger="hlgnn"):
        require_file(card, replace(card.files[0], sha256=()), tmp_path)
    assert "No official checksum is known" in caplog.text
