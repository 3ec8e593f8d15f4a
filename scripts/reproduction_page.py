"""Write docs/reproduction.md from the store: for every claim of the paper whether it holds, with our figure.

python scripts/reproduction_page.py            writes the page
python scripts/reproduction_page.py --check    leaves with 1 if the page is not what would be written
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from hlgnn.experiments import ResultStore, Scale
from hlgnn.experiments.coverage import coverage_of
from hlgnn.experiments.experiments import EXPERIMENTS
from hlgnn.experiments.judged import judged
from hlgnn.report.numbers import duration

if TYPE_CHECKING:
    from hlgnn.experiments import Experiment
    from hlgnn.experiments.claims import Claim, Verdict

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs/reproduction.md"
HEAD = """# What of the paper holds

One line for each claim of "Heuristic Learning with Graph Neural Networks" (KDD '24), judged from the results in
`results/store` by the rules in `src/hlgnn/experiments/claims`. A difference counts if it is more than two standard
errors, and nothing is said of HL-GNN with fewer than three seeds. *Different* means that a claim holds in part; a
verdict is about the data sets that its figure names, and no others. `hlgnn experiment claims` prints the same, and
`hlgnn experiment show NAME` the tables and figures themselves.

Several models bear the name HL-GNN here. *Our default* reads cosines between orders and more beside Z
([quality](quality.md)). *The paper's model at width 256* has the settings of Table 9, its three layers of a head
included, and the operators of Eq. 3, but a width of 256 instead of 1433 and 8192: 499 026 weights on Cora, where Table
6 counts 433 174 with a head of two layers. With the widths of Table 9 a seed of Cora takes more than an hour. Seconds
of epochs are those of the preset `small`, which has the counts of Table 6. Depth, ranges, starts and layers (Figures 2
to 4 and 6, Tables 7, 10 and 11) are those of the preset `plain`, whose head reads Z alone. Under `heart` every
method has settings of its own ([quality](quality.md)).

<!-- Written by scripts/reproduction_page.py: change the store or the rules, not this page. -->

| claim | where | verdict | our figure | command |
|---|---|---|---|---|
"""
COVERED = """
## How much of it is run

Cells of each table and figure: those with all of their seeds, with some of them, without a result but with what they
would need, and of the three data sets whose files were not there. *The rest* is what the missing seeds would need on
one thread of a machine with two processors, as far as it is known from other seeds or from a few steps
(`hlgnn experiment list`). A table says with each entry how many seeds it has, and with each empty one what it would
need.

| table or figure | cells | all seeds | some | not run | no files | results | the rest |
|---|---|---|---|---|---|---|---|
"""
FOOT = """
## Claims that no experiment tries

- Z = H X (Prop. 4.1), and gradients of α and β: held by tests against dense matrices
  (`tests/models/test_learned_propagation.py`, `tests/formulation/test_polynomial.py`).
- Memory O(N F): the authors' program keeps every layer. Here it holds where operators are fixed, and O(√L N F) where
  they are learned; `results/benchmarks/propagation.json` has peaks beside torch's.
- All that is about ogbl-collab, ogbl-ppa and ogbl-citation2 (a gain of 13.9 % on ogbl-ppa with RA as its lower bound,
  weights, depths and starts on ogbl-collab): not measured, since the files were not at hand; their cells are part of
  the experiments.
- That conventional GNNs fall off sharply after two or three layers (Sect. 5.3): not tried.
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
    covered = "".join(_covered(each, store) for each in EXPERIMENTS.values())
    return HEAD + "".join(_line(claim, verdict) for claim, verdict in judged(store)) + COVERED + covered + FOOT


def _covered(experiment: Experiment, store: ResultStore) -> str:
    found = coverage_of(experiment, store, Scale.FULL)
    not_run = found.cells - found.complete - found.begun - found.absent
    cells = (found.cells, found.complete, found.begun, not_run, found.absent)
    rest = duration(found.seconds) if found.seconds else "–"
    told = (experiment.name, *map(str, cells), f"{found.stored} of {found.results}", rest)
    return f"| {' | '.join(told)} |\n"


def _line(claim: Claim, verdict: Verdict) -> str:
    return f"| {claim.text} | {claim.place} | {verdict.kind} | {verdict.figure or '–'} | `{claim.command}` |\n"


if __name__ == "__main__":
    sys.exit(main())
