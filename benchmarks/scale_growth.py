"""Time and memory from a hundred thousand links to thirty million, and at the sizes of ogbl-ppa and ogbl-citation2.

Sections:
    growth       a step of training on graphs with the mean degree of ppa and of citation2; fitted exponents
    ogb          steps of training at ppa's size and a forward pass at citation2's, beside torch's sparse products
    ppa, citation2   the two parts of ogb
    epoch        all steps of an epoch at ppa's size, one after the other: about an hour on two processors
    heuristics   CN, RA and AA of three million pairs, RWR of ten thousand of ten nodes, at ppa's size
    walks        RWR of ten thousand pairs of as many nodes at ppa's size: about an hour on two processors
    order        two layers at ppa's size with the nodes renumbered by degree and by reverse Cuthill-McKee

Everything is measured in a process of its own, on random graphs with the size and the tail of degrees of the benchmark
(hlgnn.data.synthetic_ogb). Peaks are those of the whole process, making the graph included.

Example:
    python benchmarks/scale_growth.py --sections growth,heuristics --out results/benchmarks/scale_growth.json
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from scipy.sparse import csr_array
from scipy.sparse.csgraph import reverse_cuthill_mckee

from hlgnn.data.synthetic_ogb import SIZES
from hlgnn.experiments.power_law import fit_power_law
from hlgnn.formulation import parse, score_table
from hlgnn.formulation.normalization import normalize
from hlgnn.formulation.polynomial import polynomial
from hlgnn.graph import Graph
from hlgnn.jobs.allocator import keep_freed_memory
from hlgnn.jobs.growth import measure
from hlgnn.jobs.growth.step_size import StepSize
from hlgnn.jobs.versions import versions
from hlgnn.memory_size import peak_bytes, resident_bytes
from hlgnn.training.evaluate import score_pairs

LINKS = (100_000, 300_000, 1_000_000, 3_000_000, 10_000_000, 30_000_000)
WIDTH, DEPTH, STEPS_PER_EPOCH = 128, 5, 256
GROWN = {"ogbl-ppa": 128, "ogbl-citation2": 64}
"""Whose mean degree the graphs of all sizes have, and how many columns."""
STORED = ("float32", "bfloat16")
"""What layers are stored in while a model learns."""
MANY, BEYOND_CACHE = 5_000_000, 1_000_000
EXPONENT_BAR, OGB_BAR, HEURISTICS_BAR = 1.1, 20e9, 8e9
PPA, CITATION2 = "ogbl-ppa", "ogbl-citation2"
PPA_WIDTH, CITATION_WIDTH, OGB_DEPTH = 256, 64, 15
PPA_BATCH, PPA_HIDDEN, PPA_HIDE, PPA_PRECISION = 65_536, 256, 0.1, "bfloat16"
PAIRS, WALKS, FEW_SOURCES = 3_000_000, 10_000, 10
SYM = (0.0, 1.0, 0.0, 0.0)
CLOCKS = ("seconds", "processor_seconds")


def growth_step(name: str, links: int, precision: measure.Precision) -> dict[str, float]:
    """Steps on a graph with that mean degree: with the batch of the presets, and with one that grows with the links.

    The first is a step as it is trained. The second is propagation and little else: its exponent is above one as long
    as more and more rows are fetched from memory that were found in a cache before. Freed memory is kept, as
    ``hlgnn train`` has it; until the third step or so some of it is new.
    """
    use_one_processor()
    keep_freed_memory()
    nodes, width = round(links * SIZES[name].num_nodes / SIZES[name].num_links), GROWN[name]
    size = StepSize(nodes, links, width, DEPTH, "sym", links // STEPS_PER_EPOCH, width)
    measure.warm_up(size, precision)
    program, repeats = resident_bytes(), 3 if links > MANY else 8
    split = measure.make_split(size)
    model = measure.make_model(size, split, precision)
    found = {"nodes": float(nodes), "links": float(links), "program": float(program)}
    for kind, batch in (("growing batch", size.batch), ("batch of the presets", PPA_BATCH)):
        training = measure.make_training(replace(size, batch=batch), model, split)
        training.model.train()
        steps = measure.endless_steps(training)
        taken = [measure.step_seconds(steps, time.process_time) for _ in range(repeats + 1)]
        found |= {f"seconds, {kind}": min(taken[1:]), f"peak, {kind}": float(peak_bytes())}
        del training, steps
    return found


def ppa_steps(most: int, precision: measure.Precision) -> dict[str, Any]:
    """At most so many steps of an epoch at ppa's size, then an encoding and the scores of three million pairs."""
    keep_freed_memory()
    size = SIZES[PPA]
    step = StepSize(size.num_nodes, size.num_links, PPA_WIDTH, OGB_DEPTH, "sym", PPA_BATCH, PPA_HIDDEN)
    measure.warm_up(step, precision)
    split = measure.make_split(step)
    model = measure.make_model(step, split, precision)
    built = peak_bytes()
    training = measure.make_training(step, model, split)
    training.model.train()
    steps, hidden = measure.endless_steps(training), round(PPA_HIDE * size.num_links)
    in_an_epoch, taken = -(-hidden // PPA_BATCH), []
    for number in range(min(most, in_an_epoch)):
        taken.append(timed(next(steps)))
        print(f"step {number + 1}: {taken[-1]['seconds']:.0f} s", file=sys.stderr, flush=True)
    trained = peak_bytes()
    pairs = torch.randint(step.nodes, (PAIRS, 2), generator=torch.Generator().manual_seed(2))
    scored = timed(lambda: score_pairs(model, training.targets.whole, pairs))
    return {
        "steps": taken,
        "steps_of_an_epoch_of_all_links": step.steps,
        "steps_of_an_epoch_of_the_preset": in_an_epoch,
        "scores_of_3_000_000_pairs": scored,
        "built": built,
        "trained": trained,
        "peak": peak_bytes(),
    }


def forward(name: str, width: int) -> dict[str, float]:
    """Z = Σ β_l A^l X, without gradients."""
    graph = _graph(name)
    normalized = normalize(graph.adjacency, dtype=torch.float32)
    x, beta = _rows(graph.num_nodes, width), 0.8 ** torch.arange(OGB_DEPTH + 1.0)
    operator = torch.tensor(SYM)
    with torch.no_grad():
        polynomial(normalized, operator, beta[:2], x[:, :8])
        taken = timed(lambda: polynomial(normalized, operator, beta, x))
    return {"nodes": graph.num_nodes, "links": graph.num_links, **taken, "peak": peak_bytes()}


def torch_product(name: str, width: int) -> dict[str, float]:
    """One product with Ã_sym in torch's compressed rows, of the same size."""
    warnings.filterwarnings("ignore", message="Sparse")
    graph = _graph(name)
    normalized = normalize(graph.adjacency, dtype=torch.float32)
    adjacency, root, nodes = normalized.adjacency, normalized.root.float(), graph.num_nodes
    source = torch.repeat_interleave(torch.arange(nodes), adjacency.offset.diff())
    values = root[source] * root[adjacency.neighbor.long()]
    del source
    matrix = torch.sparse_csr_tensor(adjacency.offset, adjacency.neighbor.long(), values, (nodes, nodes))
    x = _rows(nodes, width)
    matrix @ x[:, :8].contiguous()
    return {**timed(lambda: matrix @ x, repeats=2), "entries": len(values), "peak": peak_bytes()}


def local_heuristics() -> dict[str, float]:
    """Half of the pairs are links, whose ends have many neighbours, half are drawn uniformly."""
    graph, generator = _graph(PPA), torch.Generator().manual_seed(2)
    chosen = torch.randint(graph.num_links, (PAIRS // 2,), generator=generator)
    pairs = torch.cat([graph.links[chosen], torch.randint(graph.num_nodes, (PAIRS // 2, 2), generator=generator)])
    requests = {name: parse(name) for name in ("cn", "ra", "aa")}
    score_table(graph, pairs[:1000], requests)
    return {**timed(lambda: score_table(graph, pairs, requests)), "peak": peak_bytes()}


def random_walks(sources: int) -> dict[str, float]:
    """Ten thousand pairs of so many nodes."""
    graph, generator = _graph(PPA), torch.Generator().manual_seed(2)
    pairs = torch.randint(graph.num_nodes, (WALKS, 2), generator=generator)
    chosen = torch.randperm(graph.num_nodes, generator=generator)[:sources]  # all different
    pairs[:, 0] = chosen.repeat_interleave(WALKS // sources)

    def tell(what: str, done: int, total: int) -> None:
        print(f"{what}: {done} of {total}", file=sys.stderr, flush=True)

    taken = timed(lambda: score_table(graph, pairs, {"rwr": parse("rwr")}, progress=tell))
    return {**taken, "sources": sources, "peak": peak_bytes()}


def ordered_products() -> dict[str, Any]:
    """Two layers of 128 columns forward at ppa's size, with the nodes as drawn and in other orders."""
    use_one_processor()
    graph = _graph(PPA)
    found = {"as drawn": _two_layers(graph)}
    orders = {"by degree": lambda: graph.degree.argsort(descending=True), "rcm": lambda: _cuthill_mckee(graph)}
    for name, make in orders.items():
        place = make().argsort()
        found[name] = _two_layers(Graph.from_edges(graph.num_nodes, place[graph.links]))
    return found


def _two_layers(graph: Graph) -> dict[str, float]:
    normalized, x = normalize(graph.adjacency, dtype=torch.float32), _rows(graph.num_nodes, WIDTH)
    beta, operator = torch.tensor([1.0, 0.5, 0.25]), torch.tensor(SYM)
    with torch.no_grad():
        return timed(lambda: polynomial(normalized, operator, beta, x), repeats=2)


def _cuthill_mckee(graph: Graph) -> torch.Tensor:
    adjacency = graph.adjacency
    ones = np.ones(adjacency.num_edges, dtype=np.int8)
    matrix = csr_array((ones, adjacency.neighbor.numpy(), adjacency.offset.numpy()), shape=(graph.num_nodes,) * 2)
    return torch.from_numpy(reverse_cuthill_mckee(matrix, symmetric_mode=True).astype(np.int64))


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    "growth": growth_step,
    "ppa steps": ppa_steps,
    "forward": forward,
    "torch": torch_product,
    "local": local_heuristics,
    "walks": random_walks,
    "order": ordered_products,
}


def run(task: str, *arguments: Any) -> dict[str, Any]:
    """A task in a process of its own."""
    command = [sys.executable, __file__, "--task", json.dumps([task, *arguments])]
    output = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    found: dict[str, Any] = json.loads(output.splitlines()[-1])
    print(task, *arguments, {key: _short(value) for key, value in found.items()}, flush=True)
    return found


def section_growth() -> dict[str, Any]:
    """Exponents of a step."""
    found = {name: {each: _growth_of(name, each) for each in STORED} for name in GROWN}
    return {**found, "bar": EXPONENT_BAR}


def _growth_of(name: str, precision: str) -> dict[str, Any]:
    rows = [run("growth", name, links, precision) for links in LINKS]
    sizes = [row["links"] for row in rows]
    laws = {}
    for batch in ("batch of the presets", "growing batch"):
        laws[f"seconds, {batch}"] = fit_power_law(sizes, [row[f"seconds, {batch}"] for row in rows])
        used = [row[f"peak, {batch}"] - row["program"] for row in rows]
        laws[f"bytes, {batch}"] = fit_power_law(sizes, used)
    large = [row for row in rows if row["links"] >= BEYOND_CACHE]
    laws["seconds, growing batch, from 1 000 000 links on"] = fit_power_law(
        [row["links"] for row in large], [row["seconds, growing batch"] for row in large]
    )
    exponents = {key: {"exponent": law.exponent, "low": law.low, "high": law.high} for key, law in laws.items()}
    print(
        name, precision, {key: round(law.exponent, 3) for key, law in laws.items()}, f"bar {EXPONENT_BAR}", flush=True
    )
    batches = {"growing batch": f"links / {STEPS_PER_EPOCH}", "batch of the presets": PPA_BATCH}
    clock = "processor time on one processor"
    what = {"width": GROWN[name], "depth": DEPTH, "operators": "sym", "layers": precision, "clock": clock, **batches}
    return {"what": what, "rows": rows, "exponents": exponents}


def section_ogb() -> dict[str, Any]:
    """Ppa and citation2, beside torch: as many of its products as a step or a pass has, and nothing else."""
    return {**section_ppa(), **section_citation2()}


def section_ppa() -> dict[str, Any]:
    """Training, whose step has a product for each layer and one for its gradient."""
    product = run("torch", PPA, PPA_WIDTH)
    found = {each: _beside_torch(run("ppa steps", 2, each), product) for each in STORED}
    return {PPA: {**found, "bar_bytes": OGB_BAR, "epochs_are": "a step times their number"}}


def _beside_torch(found: dict[str, Any], product: dict[str, float]) -> dict[str, Any]:
    step = {key: min(each[key] for each in found["steps"]) for key in CLOCKS}
    epochs = {
        f"{key}_of_an_epoch_of_{which}": step[key] * found[f"steps_of_an_epoch_of_{which}"]
        for key in CLOCKS
        for which in ("the_preset", "all_links")
    }
    return {**found, **epochs, "torch": _beside(step, product, products=2 * OGB_DEPTH)}


def section_citation2() -> dict[str, Any]:
    """A forward pass, with a product for each layer."""
    found, product = run("forward", CITATION2, CITATION_WIDTH), run("torch", CITATION2, CITATION_WIDTH)
    return {CITATION2: {**found, "torch": _beside(found, product, products=OGB_DEPTH), "bar_bytes": OGB_BAR}}


def _beside(ours: dict[str, float], product: dict[str, float], products: int) -> dict[str, Any]:
    estimated = {key: products * product[key] for key in CLOCKS}
    ratios = {key: estimated[key] / ours[key] for key in CLOCKS}
    return {"product": product, "products": products, "estimated": estimated, "over_ours": ratios}


def section_heuristics() -> dict[str, Any]:
    """Local heuristics and walks at ppa's size."""
    found = {"cn, ra, aa": run("local"), "rwr": run("walks", FEW_SOURCES)}
    return {**found, "pairs": PAIRS, "bar_bytes": HEURISTICS_BAR}


def section_walks() -> dict[str, Any]:
    """RWR of pairs none of which shares its source with another."""
    return {**run("walks", WALKS), "pairs": WALKS, "bar_bytes": HEURISTICS_BAR}


def section_epoch() -> dict[str, Any]:
    """Nothing is reckoned but torch's column: every step of the preset's epoch, in the preset's precision."""
    found, product = run("ppa steps", sys.maxsize, PPA_PRECISION), run("torch", PPA, PPA_WIDTH)
    whole = {key: sum(each[key] for each in found["steps"]) for key in CLOCKS}
    beside = _beside(whole, product, products=2 * OGB_DEPTH * len(found["steps"]))
    return {**found, "layers": PPA_PRECISION, "an_epoch": whole, "torch": beside, "bar_bytes": OGB_BAR}


def section_order() -> dict[str, Any]:
    """Row orders."""
    return run("order")


SECTIONS = {
    "growth": section_growth,
    "ogb": section_ogb,
    "ppa": section_ppa,
    "citation2": section_citation2,
    "epoch": section_epoch,
    "heuristics": section_heuristics,
    "walks": section_walks,
    "order": section_order,
}


EVERY = "growth,ogb,heuristics,order"


def _graph(name: str) -> Graph:
    return SIZES[name].graph(torch.Generator().manual_seed(0))


def _rows(nodes: int, width: int) -> torch.Tensor:
    return torch.randn(nodes, width, generator=torch.Generator().manual_seed(1))


def timed(work: Callable[[], object], repeats: int = 1) -> dict[str, float]:
    """Seconds and processor seconds, the least of each; the machine may be doing other things meanwhile."""
    taken = []
    for _ in range(repeats):
        wall, processor = time.perf_counter(), time.process_time()
        work()
        taken.append((time.perf_counter() - wall, time.process_time() - processor))
    return {key: min(each[place] for each in taken) for place, key in enumerate(CLOCKS)}


def use_one_processor() -> None:
    """Nothing runs side by side from here on, so that processor time is the time of an idle machine."""
    torch.set_num_threads(1)
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})


def _short(value: Any) -> Any:
    if not isinstance(value, int | float):
        return value
    return f"{value / 1e9:.2f} GB" if value > 1e8 else round(value, 3)


def main() -> None:
    """Measure the sections that are asked for, and add them to what the file holds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sections", default=EVERY, help=", ".join(SECTIONS))
    parser.add_argument("--out", type=Path)
    parser.add_argument("--task", help="measure one thing in this process")
    arguments = parser.parse_args()
    if arguments.task:
        task, *given = json.loads(arguments.task)
        print(json.dumps(TASKS[task](*given)))
        return
    out: Path | None = arguments.out
    document = json.loads(out.read_text(encoding="utf-8")) if out is not None and out.is_file() else {}
    for name in arguments.sections.split(","):
        found = SECTIONS[name]()
        if name in {"ppa", "citation2"}:  # parts of a section
            found, name = document.get("ogb", {}) | found, "ogb"  # noqa: PLW2901
        document[name] = found
        if out is not None:
            out.write_text(json.dumps(document | {"versions": versions()}, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
