"""Numbers of pairs that were asked for before: epochs are compared on the same pairs again and again."""

from __future__ import annotations

from hashlib import blake2b
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor


class KnownNumbers:
    """What was computed of lists of pairs, up to some bytes; none at first.

    Attributes:
        most: Bytes that may be kept.
    """

    def __init__(self, most: int = 0) -> None:
        self.most, self._size = most, 0
        self._found: dict[bytes, Tensor] = {}

    def of(self, pairs: Tensor, compute: Callable[[Tensor], Tensor]) -> Tensor:
        """What was computed of the same list before, or is computed now, and kept while there is room.

        Example:
            >>> import torch
            >>> known, pairs = KnownNumbers(most=1000), torch.tensor([[0, 1], [1, 2]])
            >>> known.of(pairs, lambda each: each.sum(dim=1)).tolist()
            [1, 3]
            >>> known.of(pairs.clone(), lambda each: each.prod(dim=1)).tolist()
            [1, 3]
        """
        if not self.most:
            return compute(pairs)
        digest = blake2b(pairs.contiguous().numpy().data, digest_size=16).digest()
        found = self._found.get(digest)
        if found is None:
            found = compute(pairs)
            size = found.numel() * found.element_size()
            if self._size + size <= self.most:
                self._found[digest], self._size = found, self._size + size
        return found
