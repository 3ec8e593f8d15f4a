"""Store what every heuristic reaches: one JSON file per data set and protocol below results/heuristics.

Example:
    python scripts/heuristic_results.py cora:paper cora:ncn ogbl-ddi:ogb --seeds 10
"""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.catalog import load_dataset
from hlgnn.cli.terminal import Terminal
from hlgnn.jobs.heuristic_table import heuristic_table, result_document

FOLDER = Path(__file__).parents[1] / "results/heuristics"


def main() -> int:
    """Compute each cell that is asked for and not stored yet."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("cells", nargs="+", metavar="DATASET:PROTOCOL")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--again", action="store_true", help="replace what is stored")
    arguments = parser.parse_args()
    make_folder(FOLDER)
    for cell in arguments.cells:
        name, protocol = cell.split(":")
        path = FOLDER / f"{name}-{protocol}.json"
        if path.exists() and not arguments.again:
            print(f"{path.name} is stored already", file=sys.stderr)
            continue
        dataset = load_dataset(name)
        with Terminal().progress() as progress:
            rows = heuristic_table(dataset, protocol, range(arguments.seeds), progress=progress)
        document = result_document(dataset, protocol, range(arguments.seeds), rows)
        with atomic_path(path) as temporary:
            temporary.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")
        print(f"{path.name}: {len(rows)} rows", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
