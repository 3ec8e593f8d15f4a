"""Write the tables of docs/comparison.md from results/baselines; with --check only say whether they are what is stored.

Example:
    python scripts/comparison_page.py --check
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from hlgnn.jobs.presets import find_preset

ROOT = Path(__file__).parents[1]
PAGE, RESULTS = ROOT / "docs/comparison.md", ROOT / "results/baselines"
BEGIN, END = "<!-- tables: made by scripts/comparison_page.py -->", "<!-- end of tables -->"
DATASETS = {"cora": "Cora", "citeseer": "Citeseer", "pubmed": "Pubmed", "ddi": "ogbl-ddi"}
ORDER = (
    *("cn", "aa", "ra", "ki", "rwr", "mf", "node2vec", "deepwalk", "mlp", "gcn", "gat", "sage", "seal", "nbfnet"),
    *("neo-gnn", "buddy", "ncn", "ncnc", "hlgnn-zero", "hlgnn"),
)


def tables() -> str:
    """One table for each data set and protocol."""
    stored = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(RESULTS.glob("*.json"))]
    parts = []
    for dataset, title in DATASETS.items():
        protocols = sorted({each["protocol"] for each in stored if each["dataset"] == dataset})
        for protocol in protocols:
            rows = [each for each in stored if (each["dataset"], each["protocol"]) == (dataset, protocol)]
            rows.sort(key=lambda each: ORDER.index(each["model"]) if each["model"] in ORDER else len(ORDER))
            parts.append(table(f"{title}, `{protocol}`, {metric_title(rows[0]['metric'])}", rows))
    return "\n\n".join(parts)


def table(title: str, rows: list[dict[str, Any]]) -> str:
    """Markdown for some methods under one protocol."""
    head = "| method | ours | seeds | published | at least | parameters | s per epoch | s per run | peak GB |"
    lines = [f"### {title}", "", head, "|---" * 9 + "|"]
    for each in rows:
        runs, published = each["runs"], each["published"]
        preset = find_preset(each["dataset"], "default", each["model"]).values
        same = (published.get("protocol") or preset.get("protocol")) == each["protocol"]
        mean, spread = published.get("mean"), published.get("std")
        known = mean is not None and same
        bar = mean - 2 * spread if known and spread is not None else None
        reached = "" if bar is None else " ✓" if each["mean"] >= bar else " ✗"
        epochs = [run["seconds_per_epoch"] for run in runs if run["seconds_per_epoch"] is not None]
        cells = (
            each["model"],
            f"{each['mean']:.2f}" + (f" ± {each['std']:.2f}" if each["std"] is not None else "") + reached,
            str(len(runs)),
            "–" if not known else f"{mean:.2f}" + (f" ± {spread:.2f}" if spread is not None else ""),
            "–" if bar is None else f"{bar:.2f}",
            f"{runs[0]['parameters']:,}".replace(",", " "),
            f"{sum(epochs) / len(epochs):.2g}" if epochs else "–",
            f"{sum(run['seconds_of_this_process'] for run in runs) / len(runs):.0f}",
            f"{max(run['peak_gigabytes'] for run in runs):.1f}",
        )
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


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
