"""Table 8: statistics of the data sets, counted from their files, beside what is printed (decision 0006)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from hlgnn.catalog import DATASETS
from hlgnn.experiments.cell import Cell
from hlgnn.experiments.entries import published
from hlgnn.experiments.experiment import Experiment, Scale
from hlgnn.experiments.methods import AMAZON, OGB, PLANETOID, dataset_title
from hlgnn.experiments.sheet import Entry, Grid, Sheet
from hlgnn.report.numbers import count, decimal

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hlgnn.data import DatasetCard
    from hlgnn.experiments.outcomes import Outcomes

COLUMNS = (*PLANETOID, *AMAZON, *OGB)
COUNTED = (*PLANETOID, *AMAZON, "ogbl-ddi")
ROWS = {"nodes": "nodes", "links": "links", "features": "features", "split": "split", "degree": "average degree"}
SPLIT_RULES = {"target": "protein"}
"""Folders of official splits that are called otherwise in the paper."""

FILES = "counted from the files"
PUBLISHER = "as its publisher states, repeats included"
LEAD = (
    "Links are undirected and counted once, without self-loops and repeats; those of all parts of an official split "
    "count. The average degree is 2M / N. An entry is marked if it differs from the printed one; its note says why."
)
NOTES = ("Where files were not counted, the numbers are those of the cards that come with the package.",)


def cells(scale: Scale) -> list[Cell]:
    """The files of each data set are counted; Cora comes with the package."""
    wanted = ("cora",) if scale is Scale.SMALL else COUNTED
    return [Cell("counts", dataset_title(each), "data-statistics", {"dataset": each}) for each in wanted]


def card_statistics(card: DatasetCard) -> dict[str, Any]:
    """What the card of a data set says, in the terms of Table 8."""
    links = sum(card.counts.get(f"{part} links", 0) for part in ("train", "valid", "test")) or card.num_links
    return _with_degree(card, card.num_nodes, links, card.num_features)


def _with_degree(card: DatasetCard, nodes: int, links: int, features: int) -> dict[str, Any]:
    degree = 2 * links / nodes
    return {"nodes": nodes, "links": links, "features": features, "split": split_rule(card), "degree": degree}


def split_rule(card: DatasetCard) -> str:
    """By what an official split was made, as its folder is called; else links are drawn."""
    folder = next((each.path.split("/")[1] for each in card.files if each.path.startswith("split/")), "random")
    return SPLIT_RULES.get(folder, folder)


def draw(outcomes: Outcomes) -> Sheet:
    """One grid, as the paper has it."""
    known = {each: _statistics(outcomes, each) for each in COLUMNS}
    rows = tuple((title, tuple(_entry(each, key, known[each]) for each in COLUMNS)) for key, title in ROWS.items())
    columns = ("statistic", *(dataset_title(each) for each in COLUMNS))
    return Sheet("Table 8: data sets", LEAD, (Grid("Statistics of the data sets", columns, rows),), notes=NOTES)


def _statistics(outcomes: Outcomes, dataset: str) -> dict[str, Any]:
    card, outcome = DATASETS[dataset], outcomes.at("counts", dataset_title(dataset))
    if outcome is None or not outcome.results:
        source = "from the card" if card.counted else PUBLISHER
        return card_statistics(card) | {"source": source}
    found = next(iter(outcome.results.values()))
    return _with_degree(card, found["nodes"], found["all_links"], found["features"]) | {"source": FILES}


def _entry(dataset: str, key: str, known: Mapping[str, Any]) -> Entry:
    printed = published("table8")[dataset]
    errata: Mapping[str, str] = printed.get("errata", {})
    text, beside = _text(key, known[key]), _text(key, printed[key])
    source = (
        known["source"] if key in {"links", "degree"} or known["source"] != PUBLISHER else "as its publisher states"
    )
    note = "; ".join(each for each in (errata.get(key, ""), "" if key == "split" else source) if each)
    return Entry(text, beside, _mark(known[key], printed[key], differs=text != beside), note)


def _mark(ours: Any, printed: Any, *, differs: bool) -> Literal["", "above", "below"]:
    """Text that differs has no order; it is marked like a number that is too small."""
    if not differs:
        return ""
    return "above" if not isinstance(ours, str) and ours > printed else "below"


def _text(key: str, value: Any) -> str:
    if isinstance(value, str):
        return value
    return decimal(value, 2) if key == "degree" else count(value)


TABLE8 = Experiment("table8", "Statistics of the data sets, with errata", cells, draw)
