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


def literal_run(split: Split, settings: Any, epochs: int) -> float:
    """Seconds for ``epochs`` epochs of a literal implementation with the depth, head and batch of the default preset.

    The features are those that the default preset prepares (dense), a square linear layer stands before propagation as
    in the published program, and every fold of hidden links has its own matrix, so that the work is the same in kind.
    """
    features = HLGNN(split.graph, settings.model, torch.Generator().manual_seed(0)).preparation(split.graph.features)
    width = features.shape[1]
    model = nn.ModuleDict({"linear": nn.Linear(width, width)})
    head = build_head(width, settings.model.head, torch.Generator().manual_seed(0), torch.Generator())
    beta = nn.Parameter(0.9 ** torch.arange(settings.model.propagation.depth + 1))
    optimizer = torch.optim.Adam([*model.parameters(), *head.parameters(), beta], lr=1e-3)
    from hlgnn.formulation.normalization import normalize

    generator = torch.Generator().manual_seed(0)
    parts = torch.randperm(len(split.train), generator=generator).tensor_split(settings.train.folds)
    graphs = [split.graph.without_links(split.train[part]) for part in parts]
    matrices = [torch_matrices(normalize(each.adjacency, dtype=torch.float32), mixed=False)[0] for each in graphs]
    whole = torch_matrices(normalize(split.graph.adjacency, dtype=torch.float32), mixed=False)[0]

    def encode(matrix: Tensor) -> Tensor:
        z = model["linear"](features)
        total = beta[0] * z
        for weight in beta[1:]:
            z = matrix @ z
            total = total + weight * z
        return total - total.mean(dim=0)

    def scores(z: Tensor, pairs: Tensor) -> Tensor:
        return head(z[pairs[:, 0]], z[pairs[:, 1]])

    start = time.perf_counter()
    for _ in range(epochs):
        for part, matrix in zip(parts, matrices, strict=True):
            links = torch.cat([split.train[part], split.train[part].flip(1)])
            for batch in links[torch.randperm(len(links), generator=generator)].split(settings.train.batch_size):
                others = torch.randint(split.graph.num_nodes, batch.shape, generator=generator)
                z = encode(matrix)
                loss = -torch.log(torch.sigmoid(scores(z, batch)) + 1e-15).mean()
                loss = loss - torch.log(1 - torch.sigmoid(scores(z, others)) + 1e-15).mean()
                optimizer.zero_grad()
                loss.backward()
                optimizer.step()
        with torch.no_grad():
            for links in (split.valid, split.test):
                z = encode(whole)
                hits_at(100)(scores(z, links.positive), scores(z, links.negative))
    return time.perf_counter() - start


def whole_run() -> dict[str, float]:
    """The default run on Cora, from the split to the test metric, and the literal one for as many epochs."""
    preset = find_preset("cora")
    settings = make_run_settings({**preset.values, "dataset": "cora", "seed": 0})
    dataset = load_dataset("cora")
    start = time.perf_counter()
    work = prepare_run(settings, dataset=dataset)
    done = fit(work.model, work.split, settings.train, default_metric=dataset.metric, seeds=Seeds(0))
    evaluate(work.model, work.model.prepare(work.split.test_graph), work.split.test, [hits_at(100)])
    ours = time.perf_counter() - start
    measured = min(done.epoch, 3)
    literal = literal_run(work.split, settings, measured) / measured * max(1, done.epoch)
    return {"hlgnn": ours, "literal": literal, "epochs": float(done.epoch), "literal_over_hlgnn": literal / ours}


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
