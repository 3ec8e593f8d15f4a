"""The stored table of heuristics: complete, repeatable, and every number with its protocol."""

import json
from pathlib import Path
from statistics import fmean

import pytest
import torch

from hlgnn.data import PROTOCOLS, load_embedded_cora, make_split
from hlgnn.evaluation import hits_at
from hlgnn.formulation import parse
from hlgnn.jobs.heuristic_table import FLOW, WITH_SELF_LOOPS, WITHOUT_SELF_LOOPS, heuristic_table, result_document

STORED = sorted((Path(__file__).parents[2] / "results/heuristics").glob("*.json"))


def test_every_heuristic_has_a_row_for_every_metric() -> None:
    cora = load_embedded_cora()
    rows = heuristic_table(cora, "paper", [3])
    document = result_document(cora, "paper", [3], rows)
    assert (document["protocol"], document["seeds"], document["part"]) == ("paper", [3], "test")
    found = {(row.heuristic, row.self_loops) for row in rows}
    assert found == {(name, True) for name in (*WITH_SELF_LOOPS, FLOW)} | {(name, False) for name in WITHOUT_SELF_LOOPS}
    split = make_split(cora, PROTOCOLS["paper"], 3)
    for name in ("ra", FLOW):
        scores = [parse(name).scores(split.test_graph, part) for part in (split.test.positive, split.test.negative)]
        row = next(row for row in rows if (row.heuristic, row.self_loops, row.metric) == (name, True, "hits@100"))
        assert row.values[0] == pytest.approx(hits_at(100)(*scores))
        assert torch.isfinite(scores[0]).all()


@pytest.mark.parametrize("path", STORED, ids=lambda path: path.stem)
def test_stored_results_hold_what_is_needed_to_repeat_them(path: Path) -> None:
    document = json.loads(path.read_text())
    assert path.stem == f"{document['dataset']}-{document['protocol']}"
    assert PROTOCOLS[document["protocol"]].name == document["protocol"]
    assert {"torch", "numpy", "hlgnn", "python"} <= set(document["versions"])
    for row in document["rows"]:
        assert len(row["values"]) == (1 if document["seeds"] is None else len(document["seeds"]))
        assert row["mean"] == pytest.approx(fmean(row["values"]))
    assert document["seeds"] is None or len(document["seeds"]) >= 10


def test_the_embedded_data_set_is_stored() -> None:
    assert {"cora-paper", "cora-ncn"} <= {path.stem for path in STORED}
