"""Data sets, protocols and splits."""

from hlgnn.data.cards import CARDS
from hlgnn.data.cuts import Cut, random_cut, time_cut
from hlgnn.data.dataset import Dataset, DatasetCard, OfficialSplit, RemoteFile
from hlgnn.data.embedded import load_embedded_cora
from hlgnn.data.fetch import download_dataset, is_offline
from hlgnn.data.hard_negatives import heart
from hlgnn.data.home import data_home
from hlgnn.data.negatives import degree_matched, uniform
from hlgnn.data.official_files import locate, missing_files
from hlgnn.data.own import EdgeOptions, OwnTables, load_own, read_own
from hlgnn.data.protocols import PROTOCOLS, Negatives, Protocol, make_split
from hlgnn.data.split import LinkSet, Split
from hlgnn.data.split_files import load_split, save_split

__all__ = [
    "CARDS",
    "PROTOCOLS",
    "Cut",
    "Dataset",
    "DatasetCard",
    "EdgeOptions",
    "LinkSet",
    "Negatives",
    "OfficialSplit",
    "OwnTables",
    "Protocol",
    "RemoteFile",
    "Split",
    "data_home",
    "degree_matched",
    "download_dataset",
    "heart",
    "is_offline",
    "load_embedded_cora",
    "load_own",
    "load_split",
    "locate",
    "make_split",
    "missing_files",
    "random_cut",
    "read_own",
    "save_split",
    "time_cut",
    "uniform",
]
