"""Store the case study of Sect. 5.5: results/case_study.json with every weight, and results/case_study.png.

Example:
    python scripts/case_study.py --seeds 10
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from hlgnn.atomic import atomic_path
from hlgnn.cli.terminal import Terminal
from hlgnn.interpret.plots import plot_weights
from hlgnn.jobs.case_study import RECIPES, case_document, case_study

FOLDER = Path(__file__).parents[1] / "results"


def main() -> int:
    """Learn on both networks by every recipe, and store the weights and their picture."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--picture-only", action="store_true", help="draw what is stored")
    arguments = parser.parse_args()
    path = FOLDER / "case_study.json"
    if not arguments.picture_only:
        with Terminal().progress() as progress:
            seeds = range(arguments.seeds)
            tables = {name: case_study(seeds, RECIPES[name], progress=progress) for name in RECIPES}
        with atomic_path(path) as temporary:
            temporary.write_text(json.dumps(case_document(seeds, tables), indent=1) + "\n", encoding="utf-8")
    document = json.loads(path.read_text(encoding="utf-8"))
    plot_weights(_panels(document), FOLDER / "case_study.png")
    return 0


def _panels(document: dict[str, Any]) -> dict[str, list[list[float]]]:
    """β of every seed below a title that names network and recipe, and says how often the expected order is largest."""
    panels = {}
    for recipe, stored in document["recipes"].items():
        for network, found in stored["networks"].items():
            order, count, rows = found["expected_order"], found["seeds_with_expected_order"], found["rows"]
            title = f"{network}, {recipe}: |β_{order}| largest in {count} of {len(rows)}"
            panels[title] = [row["betas"] for row in rows]
    return panels


if __name__ == "__main__":
    sys.exit(main())
