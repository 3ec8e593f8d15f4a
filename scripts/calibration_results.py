"""Store whether the estimate for the best candidates holds: one JSON file per data set below results/calibration.

For every seed a model is trained, all pairs that are no training links are ranked by it, and the validation links among
the best are counted. From them alone it is estimated how many of the best 100 candidates are test links. The reviewed
candidates are the pairs that are neither training nor validation links; the truth is the number of test links among
these 100. The number of missing links is that of the test links, so that estimate and truth speak of the same.

Example:
    python scripts/calibration_results.py cora photo --minutes 40
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import time
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import torch

from hlgnn.atomic import atomic_path, make_folder
from hlgnn.calibration import TailCalibration, statement
from hlgnn.formulation import RankedLinks
from hlgnn.jobs.presets import settings_for
from hlgnn.jobs.train import load_run, train_run
from hlgnn.jobs.versions import versions
from hlgnn.models.hlgnn import Encoded
from hlgnn.models.pair_features import pair_numbers
from hlgnn.models.pair_reader import PairView

if TYPE_CHECKING:
    from collections.abc import Iterator

    from torch import Tensor

    from hlgnn.graph import Graph
    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.jobs.train import Prepared
    from hlgnn.models import LinkModel

FOLDER = Path(__file__).parents[1] / "results/calibration"
PROTOCOL = "paper"
SEEDS = range(20, 30)
REVIEWED = 100
TAIL = 1000
SPARE = 50
ROWS = 8
COLUMNS = 1024


def main() -> int:
    """Compute each seed that is not stored yet, until the time is up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("datasets", nargs="+", metavar="DATASET")
    parser.add_argument("--minutes", type=float, default=float("inf"), help="begin no further seed after this time")
    parser.add_argument("--runs", type=Path, help="keep trained models here, and use those that are there")
    arguments = parser.parse_args()
    end = time.monotonic() + 60 * arguments.minutes
    make_folder(FOLDER)
    for name in arguments.datasets:
        path = FOLDER / f"{name}.json"
        stored: list[dict[str, Any]] = json.loads(path.read_text())["seeds"] if path.exists() else []
        for seed in (seed for seed in SEEDS if seed not in [row["seed"] for row in stored]):
            if time.monotonic() > end:
                print(f"{name}: the time is up before seed {seed}", file=sys.stderr)
                return 1
            settings = settings_for(name, protocol=PROTOCOL, seed=seed)
            row = measure(settings, arguments.runs)
            stored = sorted([*stored, row], key=lambda each: each["seed"])
            with atomic_path(path) as temporary:
                temporary.write_text(json.dumps(document(settings, stored), indent=1) + "\n", encoding="utf-8")
            print(
                f"{name} {seed}: {row['estimate']['mean']:.1f} {row['sentence']} true: {row['truth']}", file=sys.stderr
            )
    return 0


def document(settings: RunSettings, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Everything that one file holds."""
    chosen = settings.model_dump(mode="json", exclude={"seed", "columns"})
    return {
        "dataset": settings.dataset,
        "protocol": settings.protocol,
        "candidates": "all pairs that are neither training nor validation links of the split",
        "truth": f"test links among the best {REVIEWED} candidates",
        "missing": "the number of test links",
        "reviewed": REVIEWED,
        "tail": TAIL,
        "inside": sum(row["inside"] for row in rows),
        "of": len(rows),
        "seeds": rows,
        "settings": chosen,
        "versions": versions(),
    }


def measure(settings: RunSettings, runs: Path | None) -> dict[str, Any]:
    """Train or open one model, and compare the estimate with the truth."""
    with tempfile.TemporaryDirectory() as temporary:
        folder = (runs or Path(temporary)) / f"{settings.run_name}-{settings.seed}"
        work = load_run(train_run(settings, folder, resume=(folder / "settings.toml").is_file()))
        return compare(settings.seed, work)


@torch.no_grad()
def compare(seed: int, work: Prepared) -> dict[str, Any]:
    """The estimate from validation links beside the test links among the best candidates."""
    split, model = work.split, work.model.eval()
    graph, valid, test = split.graph, split.valid.positive, split.test.positive
    state = whole(model.encode(model.prepare(graph)))
    ranked = best_pairs(model, state, graph, TAIL)
    num_candidates = graph.num_nodes * (graph.num_nodes - 1) // 2 - graph.num_links
    tail = TailCalibration.of(ranked, valid, num_candidates)
    estimate = tail.expected(REVIEWED, len(test))
    unknown = ~graph.with_links(valid).has_links(ranked.pairs)
    reviewed = ranked.pairs[unknown][:REVIEWED]
    truth = int(graph.with_links(test).has_links(reviewed).sum())
    return {
        "seed": seed,
        "estimate": asdict(estimate),
        "truth": truth,
        "inside": estimate.low <= truth <= estimate.high,
        "passed_validation_links": int((tail.depth < REVIEWED).sum()),
        "num_candidates": num_candidates - len(valid),
        "sentence": statement(estimate),
    }


def best_pairs(model: LinkModel[Any, Any], state: Any, graph: Graph, count: int) -> RankedLinks:
    """The best of all pairs that are no links of ``graph``; every pair is scored, the best ones once more by itself."""
    best = RankedLinks(torch.empty(0, 2, dtype=torch.int64), torch.empty(0, dtype=torch.float64))
    threshold = -float("inf")
    for rows, columns in rectangles(graph.num_nodes):
        pairs = torch.cartesian_prod(rows, columns)
        scores = model.score(in_rectangle(state, rows, columns), pairs).double()
        kept = ((scores >= threshold) & (pairs[:, 0] < pairs[:, 1])).nonzero().flatten()
        kept = kept[~graph.has_links(pairs[kept])]
        if len(kept) > 0:
            found = torch.cat([best.pairs, pairs[kept]]), torch.cat([best.scores, scores[kept]])
            best = RankedLinks.best(*found, count + SPARE)
            threshold = float(best.scores[-1]) if len(best) == count + SPARE else threshold
    return RankedLinks.best(best.pairs, model.score(state, best.pairs), count)


def whole(state: Any) -> Any:
    """A state of HL-GNN with Z of every node, which is then not computed for every block anew; others as they are."""
    return replace(state, z=state.whole(), stack=None) if isinstance(state, Encoded) else state


def rectangles(num_nodes: int) -> Iterator[tuple[Tensor, Tensor]]:
    """Rows and columns of blocks that together hold all pairs with the smaller node first."""
    for rows in torch.arange(num_nodes).split(ROWS):
        for columns in torch.arange(int(rows[0]), num_nodes).split(COLUMNS):
            yield rows, columns


def in_rectangle(state: Any, rows: Tensor, columns: Tensor) -> Any:
    """A state of HL-GNN that knows that the next pairs are all of some rows with some columns; others as they are."""
    view = state.view if isinstance(state, Encoded) else None
    if view is None or view.units is None:
        return state
    return replace(state, view=Rectangle(view.neighborhoods, view.units, rows, columns))


@dataclass(frozen=True, eq=False)
class Rectangle(PairView):
    """Numbers of all pairs of rows and columns: their cosines are one matrix product.

    Attributes:
        rows: The first nodes.  (R,)
        columns: The second nodes.  (C,)
    """

    rows: Tensor
    columns: Tensor

    def numbers(self, pairs: Tensor) -> Tensor:
        """What ``PairView`` gives for the same pairs, up to rounding.  (R C, 2) -> (R C, ...)"""
        units = cast("Tensor", self.units)  # without them there is no rectangle
        left, right = units[self.rows], units[self.columns]  # (R, K, F), (C, K, F)
        num_rows, orders, width = left.shape
        products = (left.reshape(-1, width) @ right.reshape(-1, width).T).view(num_rows, orders, -1, orders)
        products = products.permute(0, 2, 1, 3).reshape(len(pairs), orders, orders)
        first, second = torch.triu_indices(orders, orders)
        cosines = (products[:, first, second] + products[:, second, first]) / 2
        parts = [] if self.neighborhoods is None else [pair_numbers(self.neighborhoods, pairs)]
        return torch.cat([*parts, cosines], dim=1)


if __name__ == "__main__":
    sys.exit(main())
