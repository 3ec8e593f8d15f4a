"""How long training takes: an epoch of HL-GNN beside one of a GCN, and a whole run on Cora beside a literal one.

An epoch of HL-GNN (L = 20) and of a three-layer GCN of PyG have the same features, hidden width, batches, negatives and
head; both end with an evaluation of the validation links. The literal implementation is what the paper's text and its
published program do: dense linear layer, torch CSR, autograd, both directions of each link, evaluation in every epoch.

Example:
    python benchmarks/training.py --out results/benchmarks/training.json
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from hlgnn.catalog import load_dataset
from hlgnn.data import PROTOCOLS, LinkSet, Split, make_split
from hlgnn.evaluation import hits_at
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import Graph
from hlgnn.jobs.presets import find_preset
from hlgnn.jobs.run_settings import make_run_settings
from hlgnn.jobs.train import prepare_run
from hlgnn.jobs.versions import versions
from hlgnn.models import HLGNN, HeadSettings, HLGNNSettings, InputSettings, LinkModel, PropagationSettings
from hlgnn.models.head import build_head
from hlgnn.models.settings import HeadSettings as Heads
from hlgnn.seeds import Seeds
from hlgnn.training.evaluate import evaluate
from hlgnn.training.fit import Training, fit
from hlgnn.training.train_settings import TrainSettings
from propagation import make_graph, torch_matrices

WIDTH, DEPTH = 256, 20
COLLAB = (235_868, 1_179_052, 128)
BATCHES, BATCH = 2, 65_536
"""At collab's size an epoch of two batches stands for one of nineteen: both models take each step anew."""
LEAST_TIMES_LITERAL = 20.0
LITERAL_BATCH = 4096  # that of the default preset


class GCN(LinkModel[Any, Tensor]):
    """Three GCN layers of PyG on the same input, and the same head."""

    def __init__(self, graph: Graph, width: int, head: Heads, generator: torch.Generator) -> None:
        super().__init__()
        from torch_geometric.nn import GCNConv

        widths = [graph.num_features, width, width, width]
        self.layers = nn.ModuleList(GCNConv(widths[level], widths[level + 1], cached=True) for level in range(3))
        self.head = build_head(width, head, generator, torch.Generator())

    def prepare(self, graph: Graph) -> Any:
        """Dense features and the matrix that PyG multiplies with, as it recommends: a sparse tensor."""
        features = graph.features if isinstance(graph.features, Tensor) else torch.from_numpy(graph.features.toarray())
        adjacency = graph.adjacency
        edges = torch.stack([adjacency.source, adjacency.neighbor.long()])
        values, nodes = torch.ones(edges.shape[1]), graph.num_nodes
        matrix = torch.sparse_coo_tensor(edges, values, (nodes, nodes)).coalesce().to_sparse_csr()
        return features.float(), matrix

    def encode(self, prepared: Any) -> Tensor:
        """Z after three layers."""
        z, matrix = prepared
        for level, layer in enumerate(self.layers):
            z = layer(z, matrix)
            z = torch.relu(z) if level < 2 else z
        return z

    def score(self, state: Tensor, pairs: Tensor) -> Tensor:
        """The head of the other one."""
        return self.head(state[pairs[:, 0]], state[pairs[:, 1]])


def collab_sized() -> Split:
    """A graph of collab's size with random features; timing does not depend on what they mean."""
    nodes, links, width = COLLAB
    generator = torch.Generator().manual_seed(0)
    whole = make_graph(nodes, links)
    features = torch.randn(nodes, width, generator=generator)
    graph = Graph.from_edges(nodes, whole.links, features=features)
    valid = LinkSet(graph.links[:5000], torch.randint(nodes, (10_000, 2), generator=generator))
    train = graph.links[: BATCHES * BATCH]
    return Split("timing", 0, graph, graph, train, torch.ones(len(train)), valid, valid)


def split_of(name: str) -> Split:
    """A data set under ``paper``, or the synthetic one."""
    return collab_sized() if name == "collab-sized" else make_split(load_dataset(name), PROTOCOLS["paper"], 0)


def seconds_per_epoch(name: str, epochs: int) -> dict[str, float]:
    """Medians over epochs in turns of both models, with the same settings of training."""
    split, head = split_of(name), HeadSettings(hidden=WIDTH, layers=2)
    train = TrainSettings(epochs=1000, batch_size=BATCH, beta_rate=0.01)
    ours = HLGNN(
        split.graph,
        HLGNNSettings(input=InputSettings(hidden=WIDTH), propagation=PropagationSettings(depth=DEPTH), head=head),
        torch.Generator().manual_seed(0),
    )
    models = {"hlgnn": ours, "gcn": GCN(split.graph, WIDTH, head, torch.Generator().manual_seed(0))}
    runs = {
        label: Training(model, split, train, default_metric="hits@50", seeds=Seeds(0))
        for label, model in models.items()
    }
    seconds: dict[str, list[float]] = {label: [] for label in runs}
    for turn in range(epochs + 1):
        for label, training in runs.items():
            taken = training.run_epoch().seconds
            if turn > 0:  # the first one compiles and caches
                seconds[label].append(taken)
    medians = {label: statistics.median(values) for label, values in seconds.items()}
    return {**medians, "gcn_over_hlgnn": medians["gcn"] / medians["hlgnn"], "epochs": float(epochs)}


def literal_seconds(split: Split, preset: str, most_steps: int) -> float:
    """Seconds for all epochs of a preset as the published program computes them, drawn out from a few steps.

    Dense features and linear layer, torch CSR under autograd, every link in both directions, and an evaluation of both
    parts, each with an encoding of its own, in every epoch.
    """
    settings = make_run_settings({**find_preset("cora", preset).values, "dataset": "cora"})
    chosen, depth = settings.model, settings.model.propagation.depth
    features = torch.from_numpy(split.graph.features.toarray()).float()
    layer = nn.Linear(features.shape[1], chosen.input.hidden)
    head = build_head(chosen.input.hidden, chosen.head, torch.Generator().manual_seed(0), torch.Generator())
    beta = nn.Parameter(0.2 * 0.8 ** torch.arange(depth + 1))
    optimizer = torch.optim.Adam([*layer.parameters(), *head.parameters(), beta], lr=1e-3)
    matrix = torch_matrices(normalize(split.graph.adjacency, dtype=torch.float32), mixed=False)[0]
    generator = torch.Generator().manual_seed(0)

    def encode() -> Tensor:
        z = layer(features)
        total = beta[0] * z
        for weight in beta[1:]:
            z = matrix @ z
            total = total + weight * z
        return total

    def scores(z: Tensor, pairs: Tensor) -> Tensor:
        return head(z[pairs[:, 0]], z[pairs[:, 1]])

    links = torch.cat([split.train, split.train.flip(1)])
    batches = links[torch.randperm(len(links), generator=generator)].split(LITERAL_BATCH)
    start, steps = time.perf_counter(), batches[:most_steps]
    for batch in steps:
        others = torch.randint(split.graph.num_nodes, batch.shape, generator=generator)
        z = encode()
        loss = -torch.log(torch.sigmoid(scores(z, batch)) + 1e-15).mean()
        loss = loss - torch.log(1 - torch.sigmoid(scores(z, others)) + 1e-15).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    learning = (time.perf_counter() - start) / len(steps) * len(batches)
    start = time.perf_counter()
    with torch.no_grad():
        for part in (split.valid, split.test):
            z = encode()
            hits_at(100)(scores(z, part.positive), scores(z, part.negative))
    return settings.train.epochs * (learning + time.perf_counter() - start)


def whole_run() -> dict[str, float]:
    """The default run on Cora, from the split to the test metric, beside the literal ones of the other two presets."""
    settings = make_run_settings({**find_preset("cora").values, "dataset": "cora", "seed": 0})
    dataset = load_dataset("cora")
    start = time.perf_counter()
    work = prepare_run(settings, dataset=dataset)
    done = fit(work.model, work.split, settings.train, default_metric=dataset.metric, seeds=Seeds(0))
    evaluate(work.model, work.model.prepare(work.split.test_graph), work.split.test, [hits_at(100)])
    ours = time.perf_counter() - start
    small, paper = literal_seconds(work.split, "small", 8), literal_seconds(work.split, "paper", 1)
    return {
        "hlgnn, default": ours,
        "epochs of the default run": float(done.epoch),
        "literal, widths of Table 6": small,
        "literal, widths of Table 9": paper,
        "literal_over_hlgnn, Table 6": small / ours,
        "literal_over_hlgnn, Table 9": paper / ours,
    }


SECTIONS: dict[str, Callable[[], dict[str, float]]] = {
    "epoch on cora": lambda: seconds_per_epoch("cora", 15),
    "epoch on pubmed": lambda: seconds_per_epoch("pubmed", 7),
    "epoch at collab's size": lambda: seconds_per_epoch("collab-sized", 1),
    "whole default run on cora": whole_run,
}


def main() -> None:
    """Measure every section, print, and write JSON."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sections", nargs="*", default=list(SECTIONS), choices=list(SECTIONS))
    parser.add_argument("--out", type=Path)
    arguments = parser.parse_args()
    warnings.filterwarnings("ignore", message="Sparse CSR tensor support is in beta state")
    results: dict[str, object] = {}
    for name in arguments.sections:
        results[name] = SECTIONS[name]()
        print(name, json.dumps(results[name], indent=2), flush=True)
    results["bars"] = {"gcn_over_hlgnn": 1.0, "literal_over_hlgnn": LEAST_TIMES_LITERAL}
    results["versions"] = versions()
    if arguments.out:
        arguments.out.write_text(json.dumps(results, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
