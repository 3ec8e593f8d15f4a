"""Everything that a person wants to know about a trained run, as one document, one report and one list of links."""

from __future__ import annotations

import json
import time
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from hlgnn.atomic import atomic_path
from hlgnn.data import PROTOCOLS
from hlgnn.errors import HlgnnError, RunError
from hlgnn.formulation import DEFAULT_MEMORY, load_formulation
from hlgnn.interpret import describe, draw_link, explain_link, link_encoder
from hlgnn.jobs.explain_run import explain_run
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.study.findings import Findings, inspect_graph
from hlgnn.jobs.study.honesty import Honesty, count_held_out
from hlgnn.jobs.study.methods import Comparison, compare_methods
from hlgnn.jobs.study.ranker import LEARNED, Ranker
from hlgnn.jobs.study.reasons import counted_reasons, learned_reasons
from hlgnn.jobs.study.tail_file import read_tail, write_tail
from hlgnn.jobs.train import Prepared, load_run
from hlgnn.memory_size import peak_bytes
from hlgnn.progress import Progress, silent
from hlgnn.report import write_report
from hlgnn.seeds import Seeds

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from hlgnn.formulation import RankedLinks
    from hlgnn.interpret import LinkEncoder

STUDY, REPORT = "study.json", "report.html"
REMOVED, FEW_REMOVED = 20, 5  # known links that are taken away in turn to see what the best link hangs on
MOST_COMPARED = 200_000  # links up to which the nearest classic heuristic is looked for


@dataclass(frozen=True)
class Asked:
    """What a person asked for.

    Attributes:
        command: The line that was typed.
        automatic: Whether the heuristic is used where the model does not earn its keep; also if the run was trained so.
        top: How many links the report lists.
        memory: Bytes that ranking may use.
        notes: What was noticed while reading the tables.
        expected: The estimate that was given beforehand: seconds and bytes.
    """

    command: str = ""
    automatic: bool = False
    top: int = 20
    memory: int = DEFAULT_MEMORY
    notes: Sequence[str] = ()
    expected: tuple[float, int] | None = None


def study_run(folder: Path, asked: Asked, *, offline: bool = False, progress: Progress = silent) -> dict[str, Any]:
    """Compare a finished run with every heuristic, calibrate it, rank and explain links, and write the report.

    Raises:
        RunError: If the run has not ended.
    """
    start = time.perf_counter()
    run = RunFolder.open(folder)
    run.result()
    work = load_run(run, offline=offline, progress=progress)
    seeds = Seeds(run.settings.seed)
    found = compare_methods(
        work.model,
        f"{run.settings.model_name}, learned",
        work.dataset,
        work.split,
        generator=seeds.generator("study"),
        memory=asked.memory,
        progress=progress,
    )
    recommended = _recommended(found)
    used = recommended if asked.automatic or run.settings.automatic else LEARNED
    ranker = Ranker(work, used, asked.memory, seeds.generator("ranking"))
    honesty, note = _calibrate(folder, ranker, progress)
    document = {
        "title": f"Missing links of {work.dataset.name}",
        "asked": {"command": asked.command, "file": run.settings.dataset},
        "findings": _findings(inspect_graph(work.dataset.graph, asked.notes or work.dataset.notes)),
        "protocol": _protocol(work),
        "result": run.result(),
        "methods": [each.document() for each in found.methods],
        "hard_links": found.hard_links,
        "gate": _gate(found),
        "recommended": recommended,
        "used": used,
        "calibration": honesty.document() | ({"note": note} if note else {}),
        "learned": _learned(folder, work, offline=offline, progress=progress),
        **_links(ranker, honesty, asked.top, progress),
        "curve": run.curve(),
        "settings": (folder / "settings.toml").read_text(encoding="utf-8"),
        "versions": json.loads((folder / "versions.json").read_text(encoding="utf-8")),
        "reproduce": [asked.command] if asked.command else [],
        "took": {
            "seconds": run.result()["seconds_of_this_process"] + time.perf_counter() - start,
            "gigabytes": peak_bytes() / 1e9,
        },
    }
    if asked.expected is not None:
        document["estimate"] = {"seconds": asked.expected[0], "gigabytes": asked.expected[1] / 1e9}
    with atomic_path(folder / STUDY) as temporary:
        temporary.write_text(json.dumps(document, indent=2, ensure_ascii=False) + "\n", encoding="utf-8")
    write_report(document, folder / REPORT)
    return document


def _recommended(found: Comparison) -> str:
    if found.gate is None or found.gate.verdict == "earns its keep":
        return LEARNED
    return found.gate.heuristic


def _calibrate(folder: Path, ranker: Ranker, progress: Progress) -> tuple[Honesty, str]:
    note = write_tail(folder, ranker, progress)
    split = ranker.work.split
    return count_held_out(split, *read_tail(folder, split)), note


def _links(ranker: Ranker, honesty: Honesty, top: int, progress: Progress) -> dict[str, Any]:
    graph = ranker.work.dataset.graph
    ranking = ranker.rank(ranker.candidates(graph), top, progress=progress)
    chances = honesty.tail.probability(ranking.links.scores, honesty.missing).tolist()
    reasons, evidence = _reasons(ranker, ranking.links, progress)
    ids = graph.node_ids
    rows = [
        {"rank": rank, "source": ids[i], "target": ids[j], "score": score, "probability": chance, "reasons": why}
        for rank, ((i, j), score, chance, why) in enumerate(
            zip(ranking.links.pairs.tolist(), ranking.links.scores.tolist(), chances, reasons, strict=True), start=1
        )
    ]
    return {"links": rows, "links_note": ranking.note, "evidence": evidence}


def _reasons(ranker: Ranker, links: RankedLinks, progress: Progress) -> tuple[list[list[str]], dict[str, Any] | None]:
    graph, model, names = ranker.work.dataset.graph, ranker.work.model, ranker.work.dataset.feature_names
    reasons: list[list[str]] = []
    evidence: dict[str, Any] | None = None
    encoder: LinkEncoder | None = None
    for number, (i, j) in enumerate(links.pairs.tolist()):
        progress("Explaining", number, len(links))
        if ranker.used != LEARNED:
            reasons.append(counted_reasons(graph, i, j))
            continue
        try:
            encoder = encoder or link_encoder(model, graph)
            found = explain_link(model, graph, i, j, changes=0, encoder=encoder)
        except HlgnnError:
            reasons.append(counted_reasons(graph, i, j))
            continue
        reasons.append(learned_reasons(graph, found, names))
        if evidence is None:
            costly = encoder.view is not None and encoder.view.takes_all_nodes
            removed = FEW_REMOVED if costly else REMOVED
            full = explain_link(model, graph, i, j, changes=removed, encoder=encoder, progress=progress)
            ids = graph.node_ids
            evidence = {"source": ids[i], "target": ids[j], "svg": draw_link(full, ids), "text": full.text(ids, names)}
    progress("Explaining", len(links), len(links))
    return reasons, evidence


def _findings(found: Findings) -> dict[str, Any]:
    return {
        "summary": asdict(found.summary),
        "sentences": list(found.sentences),
        "notes": list(found.notes),
        "bipartite": found.bipartite,
    }


def _protocol(work: Prepared) -> dict[str, Any]:
    split = work.split
    return {
        "name": split.protocol,
        "description": PROTOCOLS[split.protocol].description,
        "train": len(split.train),
        "valid": len(split.valid.positive),
        "test": len(split.test.positive),
        "negatives": split.test.negatives_per_ranking,
    }


def _gate(found: Comparison) -> dict[str, Any] | None:
    gate = found.gate
    if gate is None:
        return None
    return {
        "best_heuristic": gate.heuristic,
        "difference": gate.difference._asdict(),
        "verdict": str(gate.verdict),
        "sentence": " ".join((gate.sentence(), *_hard_sentence(found, gate.heuristic))),
    }


def _hard_sentence(found: Comparison, heuristic: str) -> list[str]:
    """What is to be said where the model is worse among negatives that look like links."""
    learned = found.methods[0].hard
    other = next((each.hard for each in found.methods if each.name == heuristic), None)
    if learned is None or other is None or learned.high >= other.low:
        return []
    return [
        f"Among hard negatives, pairs that look like links, the heuristic is better: "
        f"MRR {other.value:.3f} beside {learned.value:.3f}."
    ]


def _learned(folder: Path, work: Prepared, *, offline: bool, progress: Progress) -> dict[str, Any] | None:
    if work.dataset.graph.num_links > MOST_COMPARED and (folder / "formulation.toml").is_file():
        formulation = load_formulation(folder / "formulation.toml")  # scoring all classic ones would take minutes
        sentences = list(describe(formulation).sentences)
        return {"formula": formulation.formula(), "sentences": sentences, "betas": list(formulation.betas)}
    try:
        found = explain_run(folder, offline=offline, progress=progress)
    except RunError:
        return None  # layers with an activation are no formulation
    nearest = found.nearest
    return {
        "formula": found.formula,
        "nearest": {"title": nearest.title, "request": nearest.request, "r_squared": nearest.r_squared},
        "sentences": list(found.description.sentences),
        "betas": list(found.formulation.betas),
    }
