"""How training scales: over processes, and with the size of a graph.

Sections:
    processes    one process beside several at the size of ogbl-collab, and their bytes (scale_processes.py)
    growth       time and memory of a step from 10⁵ to 3 · 10⁷ links, with exponents (scale_growth.py)
    ogb          a step at ppa's size and a forward pass at citation2's, beside torch CSR (scale_growth.py)
    heuristics   CN, RA and AA for three million pairs, RWR of ten nodes at ppa's size (scale_growth.py)
    order        whether another order of the rows is faster (scale_growth.py)

Asked for by name, since each takes about an hour on two processors:
    epoch        all steps of an epoch at ppa's size, one after the other (scale_growth.py)
    walks        RWR for ten thousand pairs of as many nodes at ppa's size (scale_growth.py)

Example:
    python benchmarks/scale.py --sections processes,growth
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
OF_GROWTH = ("growth", "ogb", "heuristics", "order", "epoch", "walks")
SECTIONS = {
    "processes": ("scale_processes.py",),
    **{name: ("scale_growth.py", "--sections", name) for name in OF_GROWTH},
}
"""The script of each section, and what it is told."""
USUAL = "processes,growth,ogb,heuristics,order"


def main() -> None:
    """Run the script of each section; its figures go to a file of its own under results/benchmarks."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sections", default=USUAL, help=", ".join(SECTIONS))
    for name in parser.parse_args().sections.split(","):
        file, *told = SECTIONS[name]
        out = HERE.parent / "results" / "benchmarks" / Path(file).with_suffix(".json").name
        subprocess.run([sys.executable, str(HERE / file), *told, "--out", str(out)], check=True)


if __name__ == "__main__":
    main()
