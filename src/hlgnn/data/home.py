"""Where the data sets live on this computer."""

from __future__ import annotations

import os
import sys
from pathlib import Path


def data_home(folder: Path | None = None) -> Path:
    """The folder of all data sets: ``folder`` if given, else ``HLGNN_DATA``, else the cache folder of the user.

    The folder need not exist; ``download_dataset`` makes it.
    """
    if folder is not None:
        return folder.expanduser()
    named = os.environ.get("HLGNN_DATA")
    return Path(named).expanduser() if named else _user_cache() / "hlgnn"


def _user_cache() -> Path:
    named = os.environ.get("XDG_CACHE_HOME")
    if named:
        return Path(named)
    return Path.home() / ("Library/Caches" if sys.platform == "darwin" else ".cache")
