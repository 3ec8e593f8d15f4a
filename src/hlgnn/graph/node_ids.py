"""The labels that the user gave to nodes, and the numbers 0 … N − 1 that the library gives them."""

from __future__ import annotations

import hashlib
from functools import cached_property
from typing import TYPE_CHECKING, Any, final

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from hlgnn.errors import GraphFormatError
from hlgnn.graph.labels import as_labels, integers_of, string_buffers, text_of, unlike_when_trimmed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy.typing as npt

    from hlgnn.graph.labels import Labels


@final
class NodeIds:
    """Labels of the nodes 0 … N − 1: text, integers, or those numbers themselves, which take no memory.

    Labels come from ``from_labels`` or ``range``, and never change.

    Example:
        >>> ids = NodeIds.from_labels(["ann", "bob", "eve"])
        >>> ids[1], ids.find(["eve", "joe"]).tolist()
        ('bob', [2, -1])
    """

    def __init__(self, labels: pa.Array | None, size: int) -> None:
        # Kept within the package: labels are strings or int64, unique, and None stands for 0 … size − 1.
        self._labels = labels
        self._size = size

    @classmethod
    def range(cls, size: int) -> NodeIds:
        """The labels 0 … size − 1."""
        return cls(None, size)

    @classmethod
    def from_labels(cls, labels: Labels) -> NodeIds:
        """The nodes that bear these labels, in this order.

        Raises:
            GraphFormatError: If a label is missing, empty, given twice, or differs from another by white space only.
        """
        array = as_labels(labels)
        if array.null_count:
            raise GraphFormatError("A node has no label.", where=f"node {_first_true(array.is_null())}")
        _reject_twins(array)
        return cls.from_unique(array)

    @classmethod
    def from_unique(cls, labels: pa.Array) -> NodeIds:
        """The nodes that bear these labels, int64 or text, which the caller knows to be unique."""
        if len(labels) == 0:
            return cls(None, 0)
        if pa.types.is_integer(labels.type) and np.array_equal(labels.to_numpy(), np.arange(len(labels))):
            return cls(None, len(labels))
        return cls(labels, len(labels))

    @property
    def are_text(self) -> bool:
        """Whether labels are strings; they are integers otherwise."""
        return self._labels is not None and not pa.types.is_integer(self._labels.type)

    def __len__(self) -> int:
        return self._size

    def __getitem__(self, index: int) -> str | int:
        position = index + self._size if index < 0 else index
        if not 0 <= position < self._size:
            raise IndexError(index)
        label: str | int = position if self._labels is None else self._labels[position].as_py()
        return label

    def __iter__(self) -> Iterator[str | int]:
        return iter(self.to_arrow().to_pylist())

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NodeIds):
            return NotImplemented
        if len(self) != len(other) or self.are_text != other.are_text:
            return False
        if self._labels is None or other._labels is None:
            return self._labels is other._labels
        return bool(self._labels.equals(other._labels.cast(self._labels.type)))

    def __hash__(self) -> int:
        return hash((self._size, self.are_text))

    def __repr__(self) -> str:
        shown = ", ".join(repr(self[i]) for i in range(min(3, len(self))))
        return f"NodeIds({len(self)}: {shown}{', …' if len(self) > 3 else ''})"

    def take(self, indices: npt.NDArray[np.integer[Any]] | Sequence[int]) -> NodeIds:
        """The labels of some of the nodes, in the order of ``indices``."""
        chosen = np.asarray(indices, np.int64)  # (n,)
        labels = pa.array(chosen) if self._labels is None else self._labels.take(pa.array(chosen))
        return NodeIds.from_unique(labels)

    def find(self, labels: Labels) -> npt.NDArray[np.int64]:
        """The number of each labelled node, or −1 for a label that no node bears: (n,).

        Text that spells an integer finds integer labels, and an integer finds the label that spells it.
        """
        wanted = as_labels(labels)
        if self.are_text:
            found = pc.index_in(text_of(wanted), value_set=text_of(self._labels))
            return np.asarray(pc.fill_null(found, -1).to_numpy(zero_copy_only=False), np.int64)
        values, valid = integers_of(wanted)
        if self._labels is None:
            return np.where(valid & (values >= 0) & (values < self._size), values, -1)
        order, ranked = self._sorted
        place = np.minimum(np.searchsorted(ranked, values), self._size - 1)
        return np.where(valid & (ranked[place] == values), order[place], -1)

    def index(self, labels: Labels) -> npt.NDArray[np.int64]:
        """The number of each labelled node: (n,).

        Raises:
            GraphFormatError: If no node bears one of the labels; the message names the first three.
        """
        found = self.find(labels)
        unknown = np.flatnonzero(found < 0)
        if len(unknown):
            array = as_labels(labels)
            names = ", ".join(dict.fromkeys(repr(array[int(i)].as_py()) for i in unknown[:3]))
            more = f", … ({len(unknown)} in all)" if len(unknown) > 3 else ""
            raise GraphFormatError(
                f"The graph has no node {names}{more}.",
                hint=f"Its nodes are labelled like {self[0]!r}." if len(self) else "It has no nodes at all.",
            )
        return found

    def to_arrow(self) -> pa.Array:
        """All labels: int64 or strings: (N,)."""
        return pa.array(np.arange(self._size)) if self._labels is None else self._labels

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the labels and their order, in hexadecimal digits."""
        labels = self.to_arrow()
        if not self.are_text:
            return hashlib.sha256(b"integers" + labels.to_numpy().astype("<i8").tobytes()).hexdigest()
        offsets, data = string_buffers(labels)
        digest = hashlib.sha256(b"text" + np.diff(offsets).astype("<i8").tobytes())
        digest.update(data[offsets[0] : offsets[-1]].data)
        return digest.hexdigest()

    @cached_property
    def _sorted(self) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
        """The order that sorts integer labels, and the labels in that order."""
        values = self.to_arrow().to_numpy()
        order = np.argsort(values, kind="stable")
        return order, values[order]


def _first_true(mask: pa.Array) -> int:
    return int(pc.index(mask, value=True).as_py())


def _reject_twins(labels: pa.Array) -> None:
    """Raise if two labels are the same, or would be without the white space around them."""
    if len(pc.unique(labels)) < len(labels):
        counts = pc.value_counts(labels)
        twice = counts.field(0)[_first_true(pc.greater(counts.field(1), 1))]
        raise GraphFormatError(f"Two nodes have the same label {twice.as_py()!r}.", hint="Labels must be unique.")
    if pa.types.is_integer(labels.type):
        return
    blank = pc.index(pc.utf8_trim_whitespace(labels), value="").as_py()
    if blank >= 0:
        raise GraphFormatError("A label is empty.", where=f"node {blank}", hint="Give every node a label.")
    twins = unlike_when_trimmed(labels)
    if twins is not None:
        first, second = (labels[i].as_py() for i in twins)
        raise GraphFormatError(
            f"The labels {first!r} and {second!r} differ by white space only.",
            hint="Remove the white space around labels.",
        )
