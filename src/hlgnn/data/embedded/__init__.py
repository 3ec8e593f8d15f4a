"""Cora, small enough to ship with the package; ``README.md`` beside this file says where it comes from."""

from __future__ import annotations

import io
from importlib import resources

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import torch
from scipy.sparse import csr_array

from hlgnn.data.dataset import Dataset
from hlgnn.graph import Graph, NodeIds

NUM_WORDS = 1_433


def load_embedded_cora() -> Dataset:
    """Cora in Planetoid's order, with the number of each paper as its id and its subject as its label.

    Example:
        >>> cora = load_embedded_cora()
        >>> cora.graph
        Graph(num_nodes=2708, num_links=5278, num_features=1433)
        >>> cora.labels[0]
        'Neural_Networks'
    """
    nodes, links = _read("cora_nodes.parquet"), _read("cora_links.parquet")
    edges = np.stack([links["i"].to_numpy(), links["j"].to_numpy()], axis=1).astype(np.int64)
    graph = Graph.from_edges(
        nodes.num_rows,
        torch.from_numpy(edges),
        features=_bags_of_words(nodes["words"].combine_chunks()),
        node_ids=NodeIds.from_labels(nodes["paper"].to_numpy()),
    )
    return Dataset("cora", graph, "hits@100", labels=tuple(nodes["subject"].to_pylist()))


def _read(name: str) -> pa.Table:
    content = resources.files("hlgnn.data.embedded").joinpath(name).read_bytes()
    return pq.read_table(io.BytesIO(content))


def _bags_of_words(words: pa.ListArray) -> csr_array:
    """Ones where a word occurs in a paper: (N, F)."""
    index = words.values.to_numpy().astype(np.int32)
    offset = words.offsets.to_numpy().astype(np.int32)
    return csr_array((np.ones(len(index), dtype=np.float32), index, offset), shape=(len(words), NUM_WORDS))
