"""Two hosts on one machine: network namespaces that reach each other over a cable of their own, and nothing else."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass

PREFIX = "10.77.31"
PORT = 29_531


@dataclass(frozen=True)
class Host:
    """A namespace and its end of the cable."""

    number: int

    @property
    def name(self) -> str:
        return f"hlgnn-{os.getpid()}-{self.number}"

    @property
    def device(self) -> str:
        return f"hl{os.getpid() % 10_000_000}n{self.number}"

    @property
    def address(self) -> str:
        return f"{PREFIX}.{self.number + 1}"

    def start(self, *line: str, environment: dict[str, str]) -> subprocess.Popen[str]:
        """Run a command as if it were on this host."""
        told = os.environ | environment | {"GLOO_SOCKET_IFNAME": self.device}
        command = ["ip", "netns", "exec", self.name, *line]
        return subprocess.Popen(command, env=told, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)

    def received(self) -> int:
        """Bytes that have come in over the cable."""
        file = f"/sys/class/net/{self.device}/statistics/rx_bytes"
        return int(_run("ip", "netns", "exec", self.name, "cat", file))


@contextlib.contextmanager
def two_hosts() -> Iterator[tuple[Host, Host]]:
    """Make two hosts and the cable between them, and remove them in the end."""
    hosts = Host(0), Host(1)
    try:
        for host in hosts:
            _run("ip", "netns", "add", host.name)
        ends = [("name", host.device, "netns", host.name) for host in hosts]
        _run("ip", "link", "add", *ends[0], "type", "veth", "peer", *ends[1])
        for host in hosts:
            inside = ("ip", "-n", host.name)
            _run(*inside, "address", "add", f"{host.address}/24", "dev", host.device)
            for device in ("lo", host.device):
                _run(*inside, "link", "set", device, "up")
        yield hosts
    finally:
        for host in hosts:
            subprocess.run(["ip", "netns", "delete", host.name], check=False, capture_output=True)


def why_not() -> str:
    """Why there cannot be two hosts here; empty if there can."""
    if shutil.which("ip") is None:
        return "network namespaces need the command ip (package iproute2)"
    try:
        with two_hosts():
            return ""
    except subprocess.CalledProcessError as error:
        return f"network namespaces cannot be made: {error.stderr.strip()}"


def _run(*line: str) -> str:
    return subprocess.run(line, check=True, capture_output=True, text=True).stdout
