"""Write a random graph with the size and the degree tail of a benchmark of OGB, in OGB's own layout.

Everything that reads the official files reads these: links, splits, negatives and features have the official numbers
and types, and mean nothing. It is for measuring speed and memory without the official data; no metric on it says
anything.

Example:
    python scripts/make_ogb_sized.py ogbl-ppa --out sized
    HLGNN_DATA=sized hlgnn train ogbl-ppa
"""

from __future__ import annotations

import argparse
import gzip
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import torch

from hlgnn.catalog import DATASETS
from hlgnn.data import uniform
from hlgnn.data.synthetic_ogb import PARTS, SIZES

if TYPE_CHECKING:
    from hlgnn.data import DatasetCard
    from hlgnn.graph import Graph

Part = dict[str, "np.ndarray[Any, Any]"]

ROWS_AT_ONCE = 1 << 15
# Training links of collab are older than those that it is validated and tested on.
YEARS = {"train": (1963, 2018), "valid": (2018, 2019), "test": (2019, 2020)}
NEGATIVES_PER_LINK = 1000


def write_sized(card: DatasetCard, home: Path, share: float, seed: int) -> Graph:
    """Write the files of ``card`` below ``home`` for a share of its nodes and links; the graph of all parts."""
    generator = torch.Generator().manual_seed(seed)
    counts = {part: max(1, round(share * card.counts[part])) for part in PARTS}
    graph = replace(SIZES[card.name].scaled(share), num_links=sum(counts.values())).graph(generator)
    paths = {file.path: home / card.folders[0] / file.path for file in card.files}
    for path in paths.values():
        path.parent.mkdir(parents=True, exist_ok=True)
    order = torch.randperm(graph.num_links, generator=generator)
    links = graph.links[order].split(list(counts.values()))
    negatives = _shared_negatives(card, graph, share, generator)
    for name, positive in zip(("train", "valid", "test"), links, strict=True):
        part = _part(card, name, positive, graph.num_nodes, generator)
        part |= {} if name not in negatives else {"edge_neg": negatives[name]}
        path = next(path for path in paths.values() if path.name == f"{name}.pt")
        torch.save(part, path, _use_new_zipfile_serialization=False, pickle_protocol=4)
    paths["raw/num-node-list.csv.gz"].write_bytes(gzip.compress(f"{graph.num_nodes}\n".encode()))
    write_features(card, paths["raw/node-feat.csv.gz"], graph.num_nodes, generator)
    return graph


def _shared_negatives(card: DatasetCard, graph: Graph, share: float, generator: torch.Generator) -> Part:
    if card.metric == "mrr":
        return {}
    counts = [max(1, round(share * card.counts[f"{name} negatives"])) for name in ("valid", "test")]
    valid, test = uniform(graph, sum(counts), generator).split(counts)
    return {"valid": valid.numpy(), "test": test.numpy()}


def _part(card: DatasetCard, name: str, links: torch.Tensor, num_nodes: int, generator: torch.Generator) -> Part:
    """What a file of a split holds, but for negatives that all links share."""
    count = len(links)
    if card.metric == "mrr":
        turned = torch.where(torch.rand(count, 1, generator=generator) < 0.5, links, links.flip(1))
        part = {"source_node": turned[:, 0].numpy().copy(), "target_node": turned[:, 1].numpy().copy()}
        if name != "train":
            shape = (count, min(NEGATIVES_PER_LINK, num_nodes))
            part["target_node_neg"] = torch.randint(num_nodes, shape, generator=generator).numpy()
        return part
    part = {"edge": links.numpy()}
    if card.name == "ogbl-collab":
        part["weight"] = (1 + torch.poisson(torch.ones(count), generator=generator)).long().numpy()
        part["year"] = torch.randint(*YEARS[name], (count,), generator=generator).numpy()
    return part


def write_features(card: DatasetCard, path: Path, num_nodes: int, generator: torch.Generator) -> None:
    """A table without a header: one of 58 species for ppa, numbers with three decimals for the others."""
    options = pyarrow.csv.WriteOptions(include_header=False)
    kind = pa.int8() if card.name == "ogbl-ppa" else pa.float32()
    names = [f"f{column}" for column in range(card.num_features)]
    schema = pa.schema([(name, kind) for name in names])
    with (
        gzip.open(path, "wb", compresslevel=1) as file,
        pyarrow.csv.CSVWriter(file, schema, write_options=options) as writer,
    ):
        for start in range(0, num_nodes, ROWS_AT_ONCE):
            rows = _features(card, min(ROWS_AT_ONCE, num_nodes - start), generator)
            columns = [pa.array(column, kind) for column in rows.T]
            writer.write_batch(pa.record_batch(columns, schema=schema))


def _features(card: DatasetCard, rows: int, generator: torch.Generator) -> np.ndarray[Any, Any]:
    if card.name == "ogbl-ppa":
        species = torch.randint(card.num_features, (rows,), generator=generator)
        return torch.nn.functional.one_hot(species, card.num_features).numpy().astype(np.int8)
    return torch.randn(rows, card.num_features, generator=generator).mul(1000).round().div(1000).numpy()


def main() -> None:
    """Write one data set."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=list(SIZES))
    parser.add_argument("--out", type=Path, required=True, help="the data folder; the data set gets a folder in it")
    parser.add_argument("--share", type=float, default=1.0, help="of nodes and links")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    graph = write_sized(DATASETS[arguments.name], arguments.out, arguments.share, arguments.seed)
    largest = int(graph.degree.max())
    print(f"{arguments.name}: {graph.num_nodes} nodes, {graph.num_links} links, largest degree {largest}")


if __name__ == "__main__":
    main()
