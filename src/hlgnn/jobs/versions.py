"""What a result was made with."""

from __future__ import annotations

import importlib.metadata
import os
import platform
from typing import Any

import torch

PACKAGES = ("hlgnn", "torch", "numba", "numpy", "scipy", "scikit-learn")


def versions() -> dict[str, Any]:
    """Packages, Python, the machine, and how many threads there were."""
    found: dict[str, Any] = {name: importlib.metadata.version(name) for name in PACKAGES}
    return found | {
        "python": platform.python_version(),
        "machine": platform.machine(),
        "processors": os.cpu_count(),
        "threads": torch.get_num_threads(),
    }
