"""Fetching one file from servers that behave, and from servers that do not."""

from __future__ import annotations

import hashlib
import socket
from pathlib import Path
from typing import Any

import pytest

from hlgnn.data import download as download_module
from hlgnn.data.download import download
from hlgnn.errors import DatasetError

Web = Any  # of conftest.py

CONTENT = bytes(range(256)) * 5_000  # 1.28 MB: more than one chunk
SHA256 = (hashlib.sha256(CONTENT).hexdigest(),)


@pytest.fixture
def target(web: Web, tmp_path: Path) -> Path:
    web.files["/file"] = CONTENT
    return tmp_path / "new" / "folder" / "file"


def part_of(path: Path) -> Path:
    return path.with_name(f"{path.name}.part")


def write_part(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True)
    part_of(path).write_bytes(content)


def test_a_file_arrives_whole(web: Web, target: Path) -> None:
    calls: list[tuple[str, int, int]] = []
    download(f"{web.url}/file", target, sha256=SHA256, size=len(CONTENT), progress=lambda *call: calls.append(call))
    assert target.read_bytes() == CONTENT
    assert list(target.parent.iterdir()) == [target]
    assert calls[0] == ("Downloading file", 0, len(CONTENT))
    assert calls[-1] == ("Downloading file", len(CONTENT), len(CONTENT))
    assert [done for _, done, _ in calls] == sorted(done for _, done, _ in calls)


def test_a_part_is_continued(web: Web, target: Path) -> None:
    write_part(target, CONTENT[:1000])
    download(f"{web.url}/file", target, sha256=SHA256)
    assert target.read_bytes() == CONTENT
    assert web.asked == [("/file", "bytes=1000-")]


def test_a_broken_connection_is_continued(web: Web, target: Path) -> None:
    web.drop_after = [300_000, 400_000]
    download(f"{web.url}/file", target, sha256=SHA256)
    assert target.read_bytes() == CONTENT
    assert [asked for _, asked in web.asked] == [None, "bytes=300000-", "bytes=700000-"]


def test_a_connection_that_keeps_breaking_leaves_the_part_for_later(web: Web, target: Path) -> None:
    web.drop_after = [100_000] * 3
    with pytest.raises(DatasetError, match="broke after 300000 of 1280000 bytes") as caught:
        download(f"{web.url}/file", target, sha256=SHA256)
    assert f"{web.url}/file" in str(caught.value)
    assert caught.value.where == str(target)
    assert not target.exists()
    assert part_of(target).read_bytes() == CONTENT[:300_000]
    download(f"{web.url}/file", target, sha256=SHA256)
    assert target.read_bytes() == CONTENT


def test_a_server_that_ignores_ranges_makes_us_start_over(web: Web, target: Path) -> None:
    web.ranges = False
    write_part(target, b"x" * 1000)
    download(f"{web.url}/file", target, sha256=SHA256)
    assert target.read_bytes() == CONTENT


def test_a_part_that_is_complete_is_only_checked(web: Web, target: Path) -> None:
    write_part(target, CONTENT)
    download(f"{web.url}/file", target, sha256=SHA256, size=len(CONTENT))
    assert web.asked == []
    write_part(target.parent / "again" / "file", CONTENT)
    download(f"{web.url}/file", target.parent / "again" / "file", sha256=SHA256)  # 416: the size was not known
    assert (target.parent / "again" / "file").read_bytes() == CONTENT


@pytest.mark.parametrize("size", [None, len(CONTENT)])
def test_a_part_that_is_too_long_is_thrown_away(web: Web, target: Path, size: int | None) -> None:
    write_part(target, CONTENT + b"more")
    download(f"{web.url}/file", target, sha256=SHA256, size=size)
    assert target.read_bytes() == CONTENT


def test_an_interruption_keeps_the_part(web: Web, target: Path) -> None:
    def interrupt(_what: str, done: int, _total: int) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        download(f"{web.url}/file", target, sha256=SHA256, progress=interrupt)
    kept = part_of(target).stat().st_size
    assert 0 < kept < len(CONTENT)
    download(f"{web.url}/file", target, sha256=SHA256)
    assert target.read_bytes() == CONTENT
    assert web.asked[-1] == ("/file", f"bytes={kept}-")


def test_wrong_content_never_gets_the_name(web: Web, target: Path) -> None:
    web.files["/file"] = b"something else"
    with pytest.raises(DatasetError, match=SHA256[0]) as caught:
        download(f"{web.url}/file", target, sha256=SHA256)
    assert hashlib.sha256(b"something else").hexdigest() in str(caught.value)
    assert list(target.parent.iterdir()) == []


def test_a_wrong_size_is_noticed_without_a_checksum(web: Web, target: Path) -> None:
    with pytest.raises(DatasetError, match="1280000 bytes instead of 1280001"):
        download(f"{web.url}/file", target, size=len(CONTENT) + 1)
    assert list(target.parent.iterdir()) == []


def test_a_missing_page_is_not_asked_for_again(web: Web, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="404"):
        download(f"{web.url}/nothing", tmp_path / "file")
    assert len(web.asked) == 1


def test_an_overloaded_server_is_asked_again(web: Web, target: Path) -> None:
    web.status = [503, 429]
    download(f"{web.url}/file", target, sha256=SHA256)
    assert target.read_bytes() == CONTENT
    web.status = [500] * 3
    with pytest.raises(DatasetError, match="500"):
        download(f"{web.url}/file", target.parent / "other")


def test_no_connection_says_where_to_put_the_file(web: Web, tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{free.getsockname()[1]}/file"
    with pytest.raises(DatasetError, match="no connection") as caught:
        download(url, tmp_path / "file")
    assert url in str(caught.value)
    assert str(tmp_path / "file") in str(caught.value)


def test_a_server_that_says_nothing_is_given_up(web: Web, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(download_module, "TIMEOUT", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        url = f"http://127.0.0.1:{mute.getsockname()[1]}/file"
        with pytest.raises(DatasetError, match="timed out"):
            download(url, tmp_path / "file", attempts=2)


@pytest.mark.parametrize("url", ["file:///etc/passwd", "ftp://host/file", "/etc/passwd", "data:,x"])
def test_only_the_web_is_fetched(url: str, tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="Only http and https"):
        download(url, tmp_path / "file")


def test_a_folder_that_cannot_be_written_is_a_clear_error(web: Web, tmp_path: Path) -> None:
    web.files["/file"] = CONTENT
    (tmp_path / "taken").write_text("a file where a folder should be")
    with pytest.raises(DatasetError, match="could not be stored"):
        download(f"{web.url}/file", tmp_path / "taken" / "file")


def test_a_server_that_continues_elsewhere_is_not_trusted(
    web: Web, target: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Response:
        status = 206
        headers: dict[str, Any] = {"Content-Range": "bytes 5-9/10"}  # noqa: RUF012

        def __enter__(self) -> Response:
            return self

        def __exit__(self, *_: object) -> None: ...

    monkeypatch.setattr(download_module, "_open", lambda *_: Response())
    write_part(target, b"x")
    with pytest.raises(DatasetError, match="continued at 5 instead of 1"):
        download(f"{web.url}/file", target, attempts=1)
