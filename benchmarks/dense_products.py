"""Products of dense matrices: oneDNN's beside torch's own, alone and in epochs of several methods.

Both ways are measured in turns in one run; each keeps its shortest time. Where the processor is one of those whose
instructions MKL uses, both are the same way and the ratios are one.

Example:
    python benchmarks/dense_products.py --out results/benchmarks/dense_products.json
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import torch

from hlgnn.experiments.tasks.epoch import measure
from hlgnn.jobs.presets import settings_for
from hlgnn.jobs.versions import versions
from hlgnn.models import wide_product
from hlgnn.models.dense_product import linear_map

SHAPES = ((30, 256, 256), (200, 256, 256), (4096, 64, 64), (4096, 256, 256), (4096, 512, 256), (19_717, 128, 128))
"""Rows, inputs and outputs: of batches, and of all nodes of Pubmed."""
METHODS = ("mlp", "gcn", "gat", "sage", "ncn", "buddy", "seal", "hlgnn")
TRANSFORMED = "model.propagation.transformation=true"
"""A matrix in each of twenty layers, as in a row of Table 10."""
TURNS, REPEATS = 3, 20


@contextmanager
def torch_alone() -> Iterator[None]:
    """Multiply as torch does by itself."""
    with patch.object(wide_product, "multiplies_wider", return_value=False):
        yield


def in_turns(measured: Callable[[], float]) -> dict[str, float]:
    """The shortest seconds of both ways, and how many times as long torch's own takes."""
    ours, theirs = [], []
    for _ in range(TURNS):
        ours.append(measured())
        with torch_alone():
            theirs.append(measured())
    return {"seconds": min(ours), "torch_seconds": min(theirs), "times": min(theirs) / min(ours)}


def shortest(call: Callable[[], object]) -> float:
    """Seconds of the fastest of some calls, after one that is not counted."""
    call()
    found = []
    for _ in range(REPEATS):
        start = time.perf_counter()
        call()
        found.append(time.perf_counter() - start)
    return min(found)


def of_shape(rows: int, inputs: int, outputs: int) -> dict[str, object]:
    """A linear layer, without and with its gradients."""
    generator = torch.Generator().manual_seed(0)
    x, weight = torch.randn(rows, inputs, generator=generator), torch.randn(outputs, inputs, generator=generator)
    grad, bias = torch.randn(rows, outputs, generator=generator), torch.zeros(outputs)

    def learn() -> None:
        leaves = [each.detach().requires_grad_() for each in (x, weight, bias)]
        torch.autograd.grad(linear_map(*leaves), leaves, grad)

    found = {"forward": in_turns(lambda: shortest(lambda: linear_map(x, weight, bias)))}
    return {"shape": [rows, inputs, outputs], **found, "with_gradients": in_turns(lambda: shortest(learn))}


def of_method(method: str, dataset: str, protocol: str, seconds: float, preset: str, *changes: str) -> object:
    """Processor seconds of an epoch with the preset of a method, reckoned from its steps."""
    settings = settings_for(dataset, model_name=method, preset=preset, protocol=protocol, changes=changes)
    return in_turns(lambda: float(measure(settings, seconds)["processor_seconds_per_epoch"]))


def main() -> None:
    """Measure, print, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--methods", nargs="*", default=list(METHODS))
    parser.add_argument("--dataset", default="pubmed")
    parser.add_argument("--protocol", default="paper")
    parser.add_argument("--seconds", type=float, default=8.0, help="of training steps, at most, for each turn")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    torch.set_num_threads(arguments.threads)
    products = [of_shape(*shape) for shape in SHAPES]
    for each in products:
        print(json.dumps(each), flush=True)
    epochs = {}
    wanted: list[tuple[str, ...]] = [(method, method, "default") for method in arguments.methods]
    for title, *told in [*wanted, ("hlgnn plain, with a transformation", "hlgnn", "plain", TRANSFORMED)]:
        method, preset, *changes = told
        epochs[title] = of_method(method, arguments.dataset, arguments.protocol, arguments.seconds, preset, *changes)
        print(title, json.dumps(epochs[title]), flush=True)
    if arguments.out:
        document = {
            "wider": wide_product.multiplies_wider(),
            "products": products,
            "epochs": {"dataset": arguments.dataset, "protocol": arguments.protocol, "methods": epochs},
            "versions": versions(),
        }
        arguments.out.write_text(json.dumps(document, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
