"""Write docs/reproduction.md from the store: for every claim of the paper whether it holds, with our figure.

python scripts/reproduction_page.py            writes the page
python scripts/reproduction_page.py --check    leaves with 1 if the page is not what would be written
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from hlgnn.experiments import ResultStore, Scale
from hlgnn.experiments.claims import CLAIMS, Claim
from hlgnn.experiments.experiments import EXPERIMENTS

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/reproduction.md"
HEAD = """# What of the paper holds

One line for each claim of "Heuristic Learning with Graph Neural Networks" (KDD '24), judged from the results in
`results/store` by the rules in `src/hlgnn/experiments/claims`; a difference counts if it is more than two standard
errors. *Different* means that a claim holds on some data sets and not on others; a
verdict is about the data sets that its figure names, and no others. HL-GNN is
our preset `default`, whose head also reads cosines between orders, and not the settings of Table 9. Tables and figures
themselves: `hlgnn experiment show NAME`.

<!-- Written by scripts/reproduction_page.py: change the store or the rules, not this page. -->

| claim | where | verdict | our figure | command |
|---|---|---|---|---|
"""


def main() -> int:
    """Write the page, or compare it with what is there; the exit code."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--check", action="store_true", help="write nothing; leave with 1 if the page is stale")
    text = page(ResultStore(ROOT / "results/store"))
    if not parser.parse_args().check:
        PAGE.write_text(text, encoding="utf-8")
        return 0
    stale = not PAGE.is_file() or PAGE.read_text(encoding="utf-8") != text
    if stale:
        print("docs/reproduction.md is stale: run python scripts/reproduction_page.py", file=sys.stderr)
    return int(stale)


def page(store: ResultStore) -> str:
    """The whole page."""
    return HEAD + "".join(_line(store, claim) for claim in CLAIMS)


def _line(store: ResultStore, claim: Claim) -> str:
    verdict = claim.judge(store.outcomes(EXPERIMENTS[claim.experiment], Scale.FULL))
    command = f"`hlgnn experiment run {claim.experiment}`"
    return f"| {claim.text} | {claim.place} | {verdict.kind} | {verdict.figure or '–'} | {command} |\n"


if __name__ == "__main__":
    sys.exit(main())
