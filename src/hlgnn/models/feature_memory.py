"""What is computed of features alone, and so is the same for all message graphs that share them."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar, cast

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.graph import Features

Found = TypeVar("Found")


class FeatureMemory:
    """Results by name, as long as they are asked for with the same features.

    Folds, and graphs without one of their links, share the features of the whole graph. Others begin anew.

    Example:
        >>> import torch
        >>> memory, features = FeatureMemory(), torch.zeros(2, 3)
        >>> memory.recall(features, "columns", lambda: features.shape[1])
        3
        >>> memory.recall(features, "columns", lambda: 4), memory.recall(torch.zeros(2, 5), "columns", lambda: 5)
        (3, 5)
    """

    def __init__(self) -> None:
        self.features: Features | None = None
        self.found: dict[str, object] = {}

    def recall(self, features: Features, name: str, compute: Callable[[], Found]) -> Found:
        """What was computed under this name of these very features, or what is computed now."""
        if features is not self.features:
            self.features, self.found = features, {}
        if name not in self.found:
            self.found[name] = compute()
        return cast("Found", self.found[name])
