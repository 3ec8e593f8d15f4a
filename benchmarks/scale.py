"""How training scales: over processes, and with the size of a graph.

Sections:
    processes    one process beside several at the size of ogbl-collab, and their bytes (scale_processes.py)

Example:
    python benchmarks/scale.py --sections processes
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SECTIONS = {"processes": "scale_processes.py"}


def main() -> None:
    """Run the script of each section; its figures go to a file of its own under results/benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sections", default=",".join(SECTIONS), help=", ".join(SECTIONS))
    for name in parser.parse_args().sections.split(","):
        script = HERE / SECTIONS[name]
        out = HERE.parent / "results" / "benchmarks" / f"{script.stem}.json"
        subprocess.run([sys.executable, str(script), "--out", str(out)], check=True)


if __name__ == "__main__":
    main()
