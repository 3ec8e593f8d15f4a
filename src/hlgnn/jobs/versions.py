"""What a result was made with."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from typing import Any

import torch

from hlgnn.models.dense_product import multiplies_bfloat16
from hlgnn.models.wide_product import multiplies_wider

PACKAGES = ("hlgnn", "torch", "numba", "numpy", "scipy", "scikit-learn")


def versions() -> dict[str, Any]:
    """Packages, Python, the machine with what decides how fast it is, and how many threads there were."""
    found: dict[str, Any] = {name: importlib.metadata.version(name) for name in PACKAGES}
    return found | {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processor": _processor_name(),
        "processors": os.cpu_count(),
        "multiplies_bfloat16": multiplies_bfloat16(),
        "multiplies_wider": multiplies_wider(),
        "threads": torch.get_num_threads(),
    }


def _processor_name() -> str:
    """What the processor calls itself, if torch can tell."""
    known = torch.cpu.get_capabilities() if hasattr(torch.cpu, "get_capabilities") else {}
    return str(known.get("cpu_name", "unknown"))
