"""Independent random generators, each derived from one seed and the name of the stage that draws from it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

import torch


@dataclass(frozen=True)
class Seeds:
    """One integer for a whole run; every stage draws from a generator of its own.

    Because ``"split"`` and ``"negatives"`` have nothing in common, changing how one stage draws never moves another.

    Example:
        >>> split, again = Seeds(0).generator("split"), Seeds(0).generator("split")
        >>> bool(torch.rand(1, generator=split) == torch.rand(1, generator=again))
        True
    """

    seed: int

    def generator(self, stage: str) -> torch.Generator:
        """A fresh generator for ``stage``; the same seed and stage always give the same numbers."""
        digest = hashlib.blake2b(f"{self.seed}/{stage}".encode(), digest_size=8).digest()
        return torch.Generator().manual_seed(int.from_bytes(digest, "little") >> 1)
