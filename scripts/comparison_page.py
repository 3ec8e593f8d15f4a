"""Write the tables of docs/comparison.md from the store; with --check only say whether they are what is stored.

Example:
    python scripts/comparison_page.py --check
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hlgnn.catalog import DATASETS
from hlgnn.experiments import ResultStore, Scale
from hlgnn.experiments.experiments import EXPERIMENTS
from hlgnn.jobs.presets import find_preset

if TYPE_CHECKING:
    from hlgnn.experiments import CellOutcome

ROOT = Path(__file__).parents[1]
PAGE, STORE = ROOT / "docs/comparison.md", ROOT / "results/store"
BEGIN, END = "<!-- tables: made by scripts/comparison_page.py -->", "<!-- end of tables -->"


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
        method,
        f"{found.mean:.2f}" + (f" ± {found.deviation:.2f}" if len(found.values) > 1 else "") + reached,
        str(len(found.values)),
        "–" if mean is None else f"{mean:.2f}" + (f" ± {spread:.2f}" if spread is not None else ""),
        "–" if bar is None else f"{bar:.2f}",
        f"{parameters.values[0]:,.0f}".replace(",", " "),
        f"{epochs.mean:.2g}" if epochs is not None else "–",
        f"{seconds.mean:.0f}",
        f"{max(peak.values):.1f}",
    )
    return "| " + " | ".join(cells) + " |"


def metric_title(name: str) -> str:
    """As it is written in text."""
    return name.replace("hits@", "Hits@") if name.startswith("hits@") else name.upper()


def main() -> int:
    """Write the page, or compare it."""
    text = PAGE.read_text(encoding="utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    fresh = f"{before}{BEGIN}\n\n{tables()}\n\n{END}{after}"
    if "--check" in sys.argv:
        return int(fresh != text)
    PAGE.write_text(fresh, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
