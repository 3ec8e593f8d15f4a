"""Processor seconds for all links of a drawn graph while nodes, links, layers or width grow and the rest stays."""

from __future__ import annotations

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import torch

from hlgnn.catalog import MODELS
from hlgnn.errors import SettingsError
from hlgnn.experiments.tasks.random_graph import random_graph
from hlgnn.experiments.tasks.task import Task, Values
from hlgnn.seeds import Seeds
from hlgnn.settings import parse_settings

if TYPE_CHECKING:
    from collections.abc import Iterator

    from hlgnn.graph import Graph
    from hlgnn.models import LinkModel
    from hlgnn.progress import Progress

QUANTITIES = ("nodes", "links", "layers", "width")
"""N, M, L and F."""


def model_values(method: str, layers: int, width: int) -> dict[str, Any]:
    """The settings that give a method L layers of width F, and nothing that its complexity does not count.

    Heads of GCN, GAT, Neo-GNN and HL-GNN are dot products, and HL-GNN has no linear layer: the complexities of Table 3
    leave them out.

    Raises:
        SettingsError: If it is not known what layers and width are to this method.
    """
    dot = {"kind": "dot"}
    known: dict[str, dict[str, Any]] = {
        "cn": {},
        "ra": {},
        "ki": {"requests": [f"ki:gamma=0.001,order={layers}"]},
        "rwr": {"requests": [f"rwr:order={layers}"]},
        "gcn": {"layers": layers, "hidden": width, "head": dot},
        "gat": {"layers": layers, "hidden": width, "head": dot},
        "neo-gnn": {"layers": layers, "hidden": width, "head": dot},
        "seal": {"layers": layers, "hidden": width, "cache": 0},
        "nbfnet": {"layers": layers, "width": width},
        "buddy": {"hops": layers, "hidden": width},
        "hlgnn": {"input": {"hidden": 0}, "propagation": {"depth": layers}, "head": dot, "path": "plain"},
    }
    if method not in known:
        raise SettingsError(f"Layers and width of {method!r} are not known.", where="method")
    return known[method]


def build_model(method: str, graph: Graph, layers: int, width: int, generator: torch.Generator) -> LinkModel[Any, Any]:
    """The untrained method, ready to score."""
    card = MODELS[method]
    settings = parse_settings(card.settings, model_values(method, layers, width), where="model.")
    return card.build(graph, settings, generator).eval()


def seconds_for_all_links(model: LinkModel[Any, Any], graph: Graph) -> float:
    """Of the processor: what is done once for the graph, for its nodes, and for each of its links."""
    start = time.process_time()
    with torch.no_grad():
        model.score(model.encode(model.prepare(graph)), graph.links)
    return time.process_time() - start


@contextmanager
def one_thread() -> Iterator[None]:
    """Products on one thread, since a second one helps large sizes more than small ones."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


@one_thread()
def _run(values: Values, seed: int, progress: Progress) -> dict[str, Any]:
    generator, points = Seeds(seed).generator("growth"), []
    for number, size in enumerate(values["sizes"]):
        progress("Sizes", number, len(values["sizes"]))
        shape = {**values["base"], values["vary"]: size}
        graph = random_graph(shape["nodes"], shape["links"], shape["width"], generator)
        model = build_model(values["method"], graph, shape["layers"], shape["width"], generator)
        if number == 0:
            seconds_for_all_links(model, graph)  # compiles
        taken = [seconds_for_all_links(model, graph) for _ in range(values["repeats"])]
        points.append({"size": size, "seconds": taken})
    return {"points": points}


def _label(values: Values) -> str:
    return f"growth-{values['method']}-{values['vary']}"


GROWTH = Task("growth", revision=2, run=_run, label=_label)
