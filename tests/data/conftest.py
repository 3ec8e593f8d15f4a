"""What the tests of data sets share."""

from __future__ import annotations

import contextlib
import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest

from hlgnn.data import download as download_module


@dataclass
class Web:
    """What the server serves and how, and what it was asked for.

    Attributes:
        url: Its address.
        files: Content by path.
        ranges: Whether it continues where asked to; otherwise it sends everything.
        drop_after: How many bytes of the next answers it sends before it drops the connection, one entry per answer.
        status: What it answers instead of the next files, one entry per answer.
        asked: The path and the Range of each request.
    """

    url: str = ""
    files: dict[str, bytes] = field(default_factory=dict)
    ranges: bool = True
    drop_after: list[int] = field(default_factory=list)
    status: list[int] = field(default_factory=list)
    asked: list[tuple[str, str | None]] = field(default_factory=list)


@contextlib.contextmanager
def serve() -> Iterator[Web]:
    """Serve until the block ends."""
    web = Web()
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), _handler(web))
    web.url = f"http://127.0.0.1:{server.server_address[1]}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True)
    thread.start()
    try:
        yield web
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def _handler(web: Web) -> type[http.server.BaseHTTPRequestHandler]:
    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked = self.headers.get("Range")
            web.asked.append((self.path, asked))
            content = web.files.get(self.path)
            if web.status:
                self.send_error(web.status.pop(0))
            elif content is None:
                self.send_error(404)
            else:
                self._answer(content, asked)

        def _answer(self, content: bytes, asked: str | None) -> None:
            start = int(asked.removeprefix("bytes=").removesuffix("-")) if asked and web.ranges else 0
            if start and start >= len(content):
                self.send_response(416)
                self.send_header("Content-Range", f"bytes */{len(content)}")
                self.end_headers()
                return
            self.send_response(206 if start else 200)
            if start:
                self.send_header("Content-Range", f"bytes {start}-{len(content) - 1}/{len(content)}")
            self.send_header("Content-Length", str(len(content) - start))
            self.end_headers()
            stop = start + web.drop_after.pop(0) if web.drop_after else len(content)
            self.wfile.write(content[start:stop])

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    return Handler


@pytest.fixture
def web(monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """A server that answers at once; nothing waits between attempts, and no proxy is asked."""
    monkeypatch.setattr(download_module, "PAUSE", 0.0)
    monkeypatch.delenv("HLGNN_OFFLINE", raising=False)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    with serve() as running:
        yield running
