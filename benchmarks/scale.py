"""How training scales: over processes, and with the size of a graph.

Sections:
    processes    one process beside several at the size of ogbl-collab, and their bytes (scale_processes.py)
    growth       time and memory of a step from 10⁵ to 3 · 10⁷ links, with exponents (scale_growth.py)
    ogb          a step at ppa's size and a forward pass at citation2's, beside torch CSR (scale_growth.py)
    heuristics   CN, RA and AA for three million pairs and RWR for ten thousand at ppa's size (scale_growth.py)
    order        whether another order of the rows is faster (scale_growth.py)

Example:
    python benchmarks/scale.py --sections processes,growth
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
SECTIONS = {
    "processes": ("scale_processes.py",),
    **{name: ("scale_growth.py", "--sections", name) for name in ("growth", "ogb", "heuristics", "order")},
}
"""The script of each section, and what it is told."""


def main() -> None:
    """Run the script of each section; its figures go to a file of its own under results/benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sections", default=",".join(SECTIONS), help=", ".join(SECTIONS))
    for name in parser.parse_args().sections.split(","):
        file, *told = SECTIONS[name]
        out = HERE.parent / "results" / "benchmarks" / Path(file).with_suffix(".json").name
        subprocess.run([sys.executable, str(HERE / file), *told, "--out", str(out)], check=True)


if __name__ == "__main__":
    main()
