"""The cards of the nine benchmarks: what each one is, where it comes from, and what its files must be.

Those of OGB are in ``ogb_cards.py``.
"""

from __future__ import annotations

from itertools import product

from hlgnn.data.amazon import load_amazon
from hlgnn.data.cora import load_cora
from hlgnn.data.dataset import DatasetCard, RemoteFile
from hlgnn.data.ogb_cards import CITATION2, COLLAB, DDI, PPA
from hlgnn.data.planetoid import load_planetoid
from hlgnn.data.planetoid_files import PLANETOID_FILES

RANDOM_SPLITS = ("paper", "ncn", "buddy", "heart")

_PLANETOID_URL = "https://github.com/kimiyoung/planetoid/raw/af6abf468a772cc055bec88c52e4d6f51b7c37e3/data"
_PLANETOID_SOURCE = "Citations between papers, with bags of words, as published by Planetoid."
_PLANETOID_LICENCE = "MIT (repository of Planetoid); the underlying LINQS data state no licence"
_SEN = "Sen et al., Collective classification in network data, AI Magazine 2008"
_YANG = "Yang et al., Revisiting semi-supervised learning with graph embeddings, ICML 2016"
_NAMATA = "Namata et al., Query-driven active surveying for collective classification, MLG 2012"

_AMAZON_URL = "https://github.com/shchur/gnn-benchmark/raw/master/data/npz"
_AMAZON_SOURCE = "Goods at Amazon that are often bought together, with bags of words of their reviews."
_AMAZON_CITATION = (
    "McAuley et al., Image-based recommendations on styles and substitutes, SIGIR 2015; "
    "Shchur et al., Pitfalls of graph neural network evaluation, 2018"
)


def _planetoid_folders(*spellings: str) -> tuple[str, ...]:
    """Where Planetoid's files may be, by the ways in which PyG's root and name are commonly given."""
    lower = spellings[0].lower()
    parents = ("Planetoid/", "", f"{lower}/", "planetoid/")
    return tuple(f"{parent}{spelling}/raw" for parent, spelling in product(parents, (*spellings, lower)))


def _planetoid_files(name: str) -> tuple[RemoteFile, ...]:
    return tuple(
        RemoteFile(f"ind.{name}.{part}", f"{_PLANETOID_URL}/ind.{name}.{part}", (sha256,), size)
        for part, (size, sha256) in PLANETOID_FILES[name].items()
    )


def _amazon_folders(spelling: str) -> tuple[str, ...]:
    parents = ("Amazon/", "", "amazon/", f"{spelling.lower()}/", f"amazon-{spelling.lower()}/")
    return tuple(f"{parent}{spelling}/raw" for parent in parents)


def _amazon_file(name: str, size: int, *sha256: str) -> RemoteFile:
    """The original, or the copy that holds the same arrays compressed."""
    path = f"amazon_electronics_{name}.npz"
    return RemoteFile(path, f"{_AMAZON_URL}/{path}", sha256, size)


CORA = DatasetCard(
    name="cora",
    title="Cora",
    metric="hits@100",
    num_nodes=2_708,
    num_links=5_278,
    num_features=1_433,
    citation=f"{_SEN}; {_YANG}",
    licence=_PLANETOID_LICENCE,
    source=_PLANETOID_SOURCE,
    folders=_planetoid_folders("Cora"),
    files=_planetoid_files("cora"),
    load=load_cora,
    protocols=RANDOM_SPLITS,
    counts={"classes": 7, "isolated nodes": 0},
    embedded=True,
)

CITESEER = DatasetCard(
    name="citeseer",
    title="Citeseer",
    metric="hits@100",
    num_nodes=3_327,
    num_links=4_552,
    num_features=3_703,
    citation=f"{_SEN}; {_YANG}",
    licence=_PLANETOID_LICENCE,
    source=_PLANETOID_SOURCE,
    folders=_planetoid_folders("CiteSeer", "Citeseer"),
    files=_planetoid_files("citeseer"),
    load=load_planetoid,
    protocols=RANDOM_SPLITS,
    counts={"classes": 6, "isolated nodes": 48},
)

PUBMED = DatasetCard(
    name="pubmed",
    title="Pubmed",
    metric="hits@100",
    num_nodes=19_717,
    num_links=44_324,
    num_features=500,
    citation=f"{_NAMATA}; {_YANG}",
    licence=_PLANETOID_LICENCE,
    source=_PLANETOID_SOURCE,
    folders=_planetoid_folders("PubMed", "Pubmed"),
    files=_planetoid_files("pubmed"),
    load=load_planetoid,
    protocols=RANDOM_SPLITS,
    counts={"classes": 3, "isolated nodes": 0},
)

PHOTO = DatasetCard(
    name="photo",
    title="Amazon Photo",
    metric="auc",
    num_nodes=7_650,
    num_links=119_081,
    num_features=745,
    citation=_AMAZON_CITATION,
    licence="MIT (repository of gnn-benchmark)",
    source=_AMAZON_SOURCE,
    folders=_amazon_folders("Photo"),
    files=(
        _amazon_file(
            "photo",
            17_113_960,
            "bdb1feb8e6ff42ee44024b04479145029c563fd42fc31bff80af20887ba0439a",
            "f0552bc8bcdb103c25b07cf4619bd9458af435c0728dc8366e86ffb912018c25",
        ),
    ),
    load=load_amazon,
    protocols=RANDOM_SPLITS,
    counts={"classes": 8, "isolated nodes": 115},
)

COMPUTERS = DatasetCard(
    name="computers",
    title="Amazon Computers",
    metric="auc",
    num_nodes=13_752,
    num_links=245_861,
    num_features=767,
    citation=_AMAZON_CITATION,
    licence="MIT (repository of gnn-benchmark)",
    source=_AMAZON_SOURCE,
    folders=_amazon_folders("Computers"),
    files=(
        _amazon_file(
            "computers",
            31_921_488,
            "736ba1d9fd85eac2da83a5ad25c463f04b0031a6ca01563f90a7099d9e8ffb2c",
            "bffa1720ee30487a6f10f2ad57741d1a401d89a31a6a4c5c6de1ba42a1f2a0e0",
        ),
    ),
    load=load_amazon,
    protocols=RANDOM_SPLITS,
    counts={"classes": 10, "isolated nodes": 281},
)

CARDS = (CORA, CITESEER, PUBMED, PHOTO, COMPUTERS, COLLAB, DDI, PPA, CITATION2)
