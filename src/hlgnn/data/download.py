"""Published files, fetched once: resumed when interrupted, and checked before they get their name."""

from __future__ import annotations

import http.client
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import TYPE_CHECKING

from hlgnn.data.official_files import CHUNK, check_content
from hlgnn.errors import AbsentDataError, DatasetError
from hlgnn.progress import silent

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hlgnn.progress import Progress

TIMEOUT = 30.0  # seconds without a sign of life
PAUSE = 1.0  # seconds before the second attempt; doubles each time
PARTIAL_CONTENT, RANGE_NOT_SATISFIABLE, TOO_MANY_REQUESTS, SERVER_ERROR = 206, 416, 429, 500


class _BrokenError(Exception):
    """An attempt that failed in a way that another one may not."""


def download(
    url: str,
    path: Path,
    *,
    sha256: tuple[str, ...] = (),
    size: int | None = None,
    progress: Progress = silent,
    attempts: int = 3,
) -> None:
    """Fetch ``url`` into ``path``, continuing a part that an earlier attempt or an earlier call left behind.

    Args:
        url: An address of http or https.
        path: Where the file goes; until it is complete and checked it is called ``path`` + ``.part``.
        sha256: Checksums that are accepted; empty to accept any content.
        size: The expected size in bytes, if known.
        progress: Called with the bytes so far and in all (0 in all: not known).
        attempts: How often to try in a row.

    Raises:
        DatasetError: If the file cannot be had, or is not what it should be.
    """
    if urllib.parse.urlsplit(url).scheme not in ("http", "https"):
        raise DatasetError(f"Only http and https are fetched, not {url}.")
    part = path.with_name(f"{path.name}.part")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _fetch_patiently(url, part, size, attempts=attempts, progress=progress)
        _check(url, part, sha256, size, path)
        part.replace(path)
    except OSError as error:
        raise DatasetError(
            f"The download could not be stored ({error.strerror or error}).",
            where=str(path),
            hint="Choose a data folder that you may write to and that has room, by HLGNN_DATA.",
        ) from error


def _fetch_patiently(url: str, part: Path, size: int | None, *, attempts: int, progress: Progress) -> None:
    path = part.with_suffix("")
    for attempt in range(attempts):
        if attempt:
            time.sleep(PAUSE * 2 ** (attempt - 1))
        try:
            _fetch(url, part, size, lambda done, total: progress(f"Downloading {path.name}", done, total))
        except _BrokenError as error:
            reason = str(error)
        except urllib.error.HTTPError as error:
            raise _failure(url, path, f"the server answered {error.code} {error.reason}") from error
        else:
            return
    raise _failure(url, path, reason)


def _fetch(url: str, part: Path, size: int | None, report: Callable[[int, int], None]) -> None:
    """One attempt: ask for what is still missing and append it."""
    have = part.stat().st_size if part.exists() else 0
    if have == size:
        return
    if size is not None and have > size:
        have = 0
    try:
        response = _open(url, have)
    except urllib.error.HTTPError as error:
        if error.code != RANGE_NOT_SATISFIABLE:
            raise
        if error.headers.get("Content-Range") == f"bytes */{have}":  # all of it was there already
            return
        part.unlink()
        raise _BrokenError("the server could not continue the part that was there") from error
    with response:
        _append(response, part, _start_of(response, have), size, report)


def _append(
    response: http.client.HTTPResponse, part: Path, have: int, size: int | None, report: Callable[[int, int], None]
) -> None:
    length = response.headers.get("Content-Length", "")
    total = have + int(length) if length.isdecimal() else size or 0
    report(have, total)
    with part.open("r+b" if have else "wb") as file:
        file.seek(have)
        while chunk := _read(response):
            file.write(chunk)
            have += len(chunk)
            report(have, total)
    if have < total:
        raise _BrokenError(f"the connection broke after {have} of {total} bytes")


def _open(url: str, have: int) -> http.client.HTTPResponse:
    request = urllib.request.Request(url, headers={"User-Agent": "hlgnn"})  # noqa: S310 - the scheme was checked
    if have:
        request.add_header("Range", f"bytes={have}-")
    try:
        response: http.client.HTTPResponse = _opener().open(request, timeout=TIMEOUT)
    except urllib.error.HTTPError as error:
        if error.code >= SERVER_ERROR or error.code == TOO_MANY_REQUESTS:
            raise _BrokenError(f"the server answered {error.code} {error.reason}") from error
        raise
    except urllib.error.URLError as error:
        raise _BrokenError(f"no connection ({error.reason})") from error
    except (OSError, http.client.HTTPException) as error:
        raise _BrokenError(f"no connection ({type(error).__name__}: {error})") from error
    return response


def _opener() -> urllib.request.OpenerDirector:
    """An opener that knows the web and nothing else, wherever it may be redirected to."""
    opener = urllib.request.OpenerDirector()
    for handler in (
        urllib.request.ProxyHandler(),
        urllib.request.UnknownHandler(),
        urllib.request.HTTPHandler(),
        urllib.request.HTTPSHandler(),
        urllib.request.HTTPDefaultErrorHandler(),
        urllib.request.HTTPRedirectHandler(),
        urllib.request.HTTPErrorProcessor(),
    ):
        opener.add_handler(handler)
    return opener


def _read(response: http.client.HTTPResponse) -> bytes:
    try:
        return response.read(CHUNK)
    except (OSError, http.client.HTTPException) as error:
        raise _BrokenError(f"the connection broke ({type(error).__name__}: {error})") from error


def _start_of(response: http.client.HTTPResponse, have: int) -> int:
    """Where the answer starts: at ``have`` if the server continues, at zero if it sends everything again."""
    if response.status != PARTIAL_CONTENT:
        return 0
    start = response.headers.get("Content-Range", "").removeprefix("bytes ").split("-")[0]
    if start != str(have):
        raise _BrokenError(f"the server continued at {start or 'an unknown place'} instead of {have}")
    return have


def _check(url: str, part: Path, sha256: tuple[str, ...], size: int | None, path: Path) -> None:
    """Compare a complete part with what is known; a wrong one is deleted, for continuing it would be useless."""
    hint = f"It was deleted. Try again later, or get {url} by other means and put it at {path}."
    try:
        if sha256:
            check_content(part, sha256, hint=hint)
        elif size is not None and part.stat().st_size != size:
            found = part.stat().st_size
            raise DatasetError(f"{url} has {found} bytes instead of {size}.", where=str(path), hint=hint)
    except DatasetError:
        part.unlink(missing_ok=True)
        raise


def _failure(url: str, path: Path, reason: str) -> AbsentDataError:
    return AbsentDataError(
        f"{url} could not be fetched: {reason}.",
        where=str(path),
        hint="Check the connection and try again (what has arrived is kept), or put the file there by hand.",
    )
