"""Write the tables of docs/comparison.md from what is stored; with --check only say whether they are that.

Example:
    python scripts/comparison_page.py --check
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments import ResultStore, Scale
from hlgnn.experiments.experiments import EXPERIMENTS
from hlgnn.experiments.table4 import AS_PRINTED
from hlgnn.jobs.presets import find_preset

if TYPE_CHECKING:
    from hlgnn.experiments import CellOutcome

ROOT = Path(__file__).parents[1]
PAGE, STORE = ROOT / "docs/comparison.md", ROOT / "results/store"
BEGIN, END = "<!-- tables: made by scripts/comparison_page.py -->", "<!-- end of tables -->"
COSTS_BEGIN, COSTS_END = "<!-- costs: made by scripts/comparison_page.py -->", "<!-- end of costs -->"
MEASURED, COSTLY, LIMIT = ROOT / "results/benchmarks/baselines_ddi.json", "ogbl-ddi", 2.0
"""What an epoch takes on the data set where it matters, and the hours that a row may take."""


def tables() -> str:
    """One table for each data set and protocol that has results."""
    outcomes = ResultStore(STORE).outcomes(EXPERIMENTS["table4"], Scale.FULL)
    parts: dict[tuple[str, str], list[CellOutcome]] = {}
    for each in outcomes:
        if each.results:
            parts.setdefault((each.cell.settings["dataset"], each.cell.part), []).append(each)
    places = list(DATASETS)
    ordered = sorted(parts.items(), key=lambda part: (places.index(DATASETS[part[0][0]].name), part[0][1]))
    return "\n\n".join(table(dataset, protocol, rows) for (dataset, protocol), rows in ordered)


def table(dataset: str, protocol: str, rows: list[CellOutcome]) -> str:
    """Markdown for some methods under one protocol."""
    metric = "mrr" if protocol == "heart" else DATASETS[dataset].metric
    head = "| method | ours | seeds | published | at least | parameters | s per epoch | s per run | peak GB |"
    title = f"### {DATASETS[dataset].title}, `{protocol}`, {metric_title(metric)}"
    return "\n".join([title, "", head, "|---" * 9 + "|", *(line(dataset, protocol, metric, each) for each in rows)])


def line(dataset: str, protocol: str, metric: str, outcome: CellOutcome) -> str:
    """One method."""
    method = outcome.cell.settings["model_name"]
    preset = find_preset(dataset, "default", method)
    published = preset.published
    same = (published.get("protocol") or preset.values.get("protocol")) == protocol
    mean, spread = (
        published.get(key) if same and published.get("metric") == metric else None for key in ("mean", "std")
    )
    bar = mean - 2 * spread if mean is not None and spread is not None else None
    found = outcome.spread("test", metric, scale=100.0)
    epochs, seconds, peak, parameters = (
        outcome.spread(name)
        for name in ("seconds_per_epoch", "seconds_of_this_process", "peak_gigabytes", "parameters")
    )
    assert found is not None and seconds is not None and peak is not None and parameters is not None  # noqa: PT018
    reached = "" if bar is None else " ✓" if found.mean >= bar else " ✗"
    cells = (
        f"{method}, as printed at width 256" if outcome.cell.row == AS_PRINTED else method,
        f"{found.mean:.2f}" + (f" ± {found.deviation:.2f}" if len(found.values) > 1 else "") + reached,
        str(len(found.values)),
        "–" if mean is None else f"{mean:.2f}" + (f" ± {spread:.2f}" if spread is not None else ""),
        "–" if bar is None else f"{bar:.2f}",
        f"{parameters.values[0]:,.0f}".replace(",", " "),
        rounded(epochs.mean) if epochs is not None else "–",
        f"{seconds.mean:.0f}",
        f"{max(peak.values):.1f}",
    )
    return "| " + " | ".join(cells) + " |"


def costs() -> str:
    """What a row of the large data set takes, the shortest first, and how far it is."""
    outcomes = ResultStore(STORE).outcomes(EXPERIMENTS["table4"], Scale.FULL)
    done = {each.cell.settings["model_name"]: len(each.results) for each in outcomes if _is_costly(each)}
    rows = []
    for method, measured in json.loads(MEASURED.read_text(encoding="utf-8"))["rows"][COSTLY].items():
        train = find_preset(COSTLY, "default", method).values["train"]
        epochs = train["epochs"]
        evaluations = epochs // train.get("evaluate_every", 1) + 3  # one before training, two of the best epoch
        each, evaluation = measured["seconds_per_epoch"], measured["seconds_of_evaluation"]
        hours = (measured["seconds_before"] + epochs * each + evaluations * evaluation) / 3600
        seeds = done.get(method, 0)
        state = f"run, seeds: {seeds}" if seeds else "fits, not run yet" if hours <= LIMIT else "too long"
        cells = (
            method,
            f"{measured['parameters']:,}".replace(",", " "),
            rounded(each),
            str(epochs),
            rounded(evaluation),
            f"{hours:.1f}" if hours < 10 else rounded(hours),
            f"{measured['peak_gigabytes']:.1f}" if "peak_gigabytes" in measured else "–",
            state,
        )
        rows.append((hours, "| " + " | ".join(cells) + " |"))
    head = "| method | parameters | s per epoch | epochs | s per evaluation | hours | peak GB | |"
    return "\n".join([head, "|---" * 8 + "|", *(text for _, text in sorted(rows))])


def rounded(number: float) -> str:
    """Two digits, and zeros after them."""
    return f"{float(f'{number:.2g}'):,.0f}".replace(",", " ") if number >= 10 else f"{number:.2g}"


def _is_costly(outcome: CellOutcome) -> bool:
    return bool(outcome.results) and outcome.cell.settings["dataset"] == COSTLY


def metric_title(name: str) -> str:
    """As it is written in text."""
    return name.replace("hits@", "Hits@") if name.startswith("hits@") else name.upper()


def main() -> int:
    """Write the page, or compare it."""
    text = PAGE.read_text(encoding="utf-8")
    fresh = text
    for begin, made, end in ((BEGIN, tables(), END), (COSTS_BEGIN, costs(), COSTS_END)):
        before, _, rest = fresh.partition(begin)
        _, _, after = rest.partition(end)
        fresh = f"{before}{begin}\n\n{made}\n\n{end}{after}"
    if "--check" in sys.argv:
        return int(fresh != text)
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
