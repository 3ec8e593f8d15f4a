"""The cards of the four benchmarks of OGB."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.data.dataset import DatasetCard, RemoteFile
from hlgnn.data.ogb import load_ogb

if TYPE_CHECKING:
    from collections.abc import Mapping

_OGB_URL = "https://snap.stanford.edu/ogb/data/linkproppred"
_OGB = "Hu et al., Open Graph Benchmark: datasets for machine learning on graphs, NeurIPS 2020"


def _ogb_folders(name: str) -> tuple[str, ...]:
    folder = name.replace("-", "_")
    return folder, f"ogb/{folder}", f"dataset/{folder}"


def _ogb_files(
    archive: str,
    split: str,
    *,
    features: bool = True,
    sha256: Mapping[str, str] | None = None,
    size: int | None = None,
    archive_sha256: tuple[str, ...] = (),
) -> tuple[RemoteFile, ...]:
    """What is read of an archive of OGB; OGB itself publishes no checksums."""
    raw = ("raw/num-node-list.csv.gz", *(("raw/node-feat.csv.gz",) if features else ()))
    known = sha256 or {}
    return tuple(
        RemoteFile(
            path,
            f"{_OGB_URL}/{archive}.zip",
            (known[path],) if path in known else (),
            size,
            archive_folder=archive,
            archive_sha256=archive_sha256,
        )
        for path in (*raw, *(f"split/{split}/{part}.pt" for part in ("train", "valid", "test")))
    )


COLLAB = DatasetCard(
    name="ogbl-collab",
    title="ogbl-collab",
    metric="hits@50",
    num_nodes=235_868,
    num_links=1_179_052,
    num_features=128,
    citation=f"Wang et al., Microsoft Academic Graph, 2020; {_OGB}",
    licence="ODC-BY",
    source="Authors who wrote papers together, by year; split by time.",
    folders=_ogb_folders("ogbl-collab"),
    # The archive's checksum is not OGB's own word, but what independent projects observed.
    files=_ogb_files(
        "collab",
        "time",
        size=121_625_147,
        archive_sha256=("c5563198e041c338f0a78e11322bb2eb2de76b68f0e9ae3e3b6d6af2d8ca64cc",),
    ),
    load=load_ogb,
    protocols=("ogb", "ogb-valid-input"),
    counts={
        "train links": 1_179_052,
        "valid links": 60_084,
        "test links": 46_329,
        "valid negatives": 100_000,
        "test negatives": 100_000,
    },
    counted=False,
)

DDI = DatasetCard(
    name="ogbl-ddi",
    title="ogbl-ddi",
    metric="hits@20",
    num_nodes=4_267,
    num_links=1_067_911,
    num_features=0,
    citation=f"Wishart et al., DrugBank 5.0, Nucleic Acids Research 2018; {_OGB}",
    licence="CC-0",
    source="Drugs whose joint effect differs from that of each alone; split by the proteins that they target.",
    folders=_ogb_folders("ogbl-ddi"),
    files=_ogb_files(
        "ddi",
        "target",
        features=False,
        sha256={
            "raw/num-node-list.csv.gz": "8462870f1b8c5937c66600aeb460af98d4f9965639fcd30f72f97da95ab374e3",
            "split/target/train.pt": "694c82ba440b873e05f08eb18e1605362aaf9ee7ca12aff84fce0c9f4c8ad256",
            "split/target/valid.pt": "4a48348f01fad0980a5be269fff7ace300e963144eef22d5ec4fc9830df872ac",
            "split/target/test.pt": "b45cfcf1695babf5a13e90bdf08988be23570ca76af0737f9d517e005ea7e297",
        },
    ),
    load=load_ogb,
    protocols=("ogb",),
    counts={
        "train links": 1_067_911,
        "valid links": 133_489,
        "test links": 133_489,
        "valid negatives": 101_882,
        "test negatives": 95_599,
    },
)

PPA = DatasetCard(
    name="ogbl-ppa",
    title="ogbl-ppa",
    metric="hits@100",
    num_nodes=576_289,
    num_links=21_231_931,
    num_features=58,
    citation=f"Szklarczyk et al., STRING v11, Nucleic Acids Research 2019; {_OGB}",
    licence="CC-0",
    source="Proteins of 58 species and their associations; split by how an association was found.",
    folders=_ogb_folders("ogbl-ppa"),
    files=_ogb_files("ppassoc", "throughput"),
    load=load_ogb,
    protocols=("ogb",),
    counts={
        "train links": 21_231_931,
        "valid links": 6_062_562,
        "test links": 3_031_780,
        "valid negatives": 3_000_000,
        "test negatives": 3_000_000,
    },
    counted=False,
)

CITATION2 = DatasetCard(
    name="ogbl-citation2",
    title="ogbl-citation2",
    metric="mrr",
    num_nodes=2_927_963,
    num_links=30_387_995,
    num_features=128,
    citation=f"Wang et al., Microsoft Academic Graph, 2020; {_OGB}",
    licence="ODC-BY",
    source="Citations between papers, here undirected; split by time, each with 1 000 negatives of its own.",
    folders=_ogb_folders("ogbl-citation2"),
    files=_ogb_files("citation-v2", "time"),
    load=load_ogb,
    protocols=("ogb",),
    counts={
        "train links": 30_387_995,
        "valid links": 86_596,
        "test links": 86_596,
        "valid negatives": 86_596_000,
        "test negatives": 86_596_000,
    },
    counted=False,
)
