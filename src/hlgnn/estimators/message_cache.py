"""The normalised graph of the edges that were used last, kept as long as the tensor of edges is."""

from __future__ import annotations

import weakref
from typing import TYPE_CHECKING, Any

from hlgnn.errors import SettingsError
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch
    from torch import Tensor

    from hlgnn.formulation.normalization import Normalized
    from hlgnn.models.propagation import Messages


class MessageCache:
    """One graph at a time, recognised by the tensor object of its edges and by how often that was written to.

    A change through ``edge_index.numpy()`` or ``.data`` is not seen, as torch does not count it.
    """

    def __init__(self) -> None:
        self._edges: weakref.ref[Tensor] | None = None
        self._weights: weakref.ref[Tensor] | None = None
        self._key: tuple[Any, ...] = ()
        self._messages: Messages | None = None

    def get(
        self,
        edge_index: Tensor,
        edge_weight: Tensor | None,
        num_nodes: int,
        dtype: torch.dtype,
        make: Callable[[Normalized], Messages],
    ) -> Messages:
        """The graph as propagation sees it, computed unless it is that of the last call.  (2, E), (E,)"""
        weighted = edge_weight is not None
        key = (num_nodes, dtype, weighted, _version(edge_index), 0 if edge_weight is None else _version(edge_weight))
        same = self._edges is not None and self._edges() is edge_index
        if weighted:
            same = same and self._weights is not None and self._weights() is edge_weight
        if not same or key != self._key or self._messages is None:
            self._messages = make(normalize(undirected(edge_index, edge_weight, num_nodes).adjacency, dtype=dtype))
            self._edges = weakref.ref(edge_index, self._forget)
            self._weights = None if edge_weight is None else weakref.ref(edge_weight)
            self._key = key
        return self._messages

    def _forget(self, gone: weakref.ref[Tensor]) -> None:
        if gone is self._edges:
            self._edges = self._weights = self._messages = None

    def __reduce__(self) -> tuple[type[MessageCache], tuple[()]]:
        """A copy starts empty."""
        return MessageCache, ()


def _version(tensor: Tensor) -> float:
    """How often a tensor was written to; where torch does not count, no number equals it, and nothing is kept."""
    return float("nan") if tensor.is_inference() else tensor._version


def undirected(edge_index: Tensor, edge_weight: Tensor | None, num_nodes: int) -> Graph:
    """The graph of edges in either direction or in both, without self-loops and repeats.  (2, E), (E,)

    Raises:
        SettingsError: If shapes do not fit, or a gradient of the weights is wanted.
        GraphFormatError: If a node is not among 0 … num_nodes − 1, or a weight is not positive.

    Example:
        >>> import torch
        >>> undirected(torch.tensor([[0, 1, 2], [1, 0, 2]]), None, 3).links.tolist()
        [[0, 1]]
    """
    if edge_index.ndim != 2 or edge_index.shape[0] != 2:
        raise SettingsError(f"It has the shape (2, E), not {tuple(edge_index.shape)}.", where="edge_index")
    if edge_weight is None:
        return Graph.from_ends(num_nodes, edge_index[0].contiguous(), edge_index[1].contiguous())
    if edge_weight.requires_grad:
        hint = "Detach them, or use a layer that learns weights of edges."
        raise SettingsError("There is no gradient for weights of edges.", where="edge_weight", hint=hint)
    weight = edge_weight[:, 0] if edge_weight.ndim == 2 and edge_weight.shape[1] == 1 else edge_weight
    return Graph.from_ends(num_nodes, edge_index[0].contiguous(), edge_index[1].contiguous(), weight=weight)
