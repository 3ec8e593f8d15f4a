"""Positives with their own negatives, scored block by block: the plain formula, in the memory of one block."""

import subprocess
import sys
from typing import Any

import pytest
import torch
from torch import Tensor

from hlgnn.data import LinkSet
from hlgnn.data.own_targets import OwnTargets
from hlgnn.evaluation import METRICS, metric
from hlgnn.training.evaluate import evaluate, link_scores, measure, score_pairs
from toy_models import build, community_split


def own_links(count: int = 7, candidates: int = 11, seed: int = 0) -> OwnTargets:
    generator = torch.Generator().manual_seed(seed)
    positive, target = (torch.randint(48, (count, width), generator=generator) for width in (2, candidates))
    return OwnTargets(positive, target.int())


@pytest.mark.parametrize("at_once", [1, 3, 11, 12, 40, 1 << 16])
@pytest.mark.parametrize("kept_as", ["targets", "pairs"])
def test_every_metric_is_that_of_the_plain_formula(at_once: int, kept_as: str) -> None:
    """Of all pairs scored at once; the size of blocks does not matter, nor how negatives are kept."""
    split, links = community_split(), own_links()
    model = build(split.graph, input={"hidden": 8}, propagation={"depth": 3}, head={"hidden": 8})
    prepared = model.prepare(split.graph)
    pairs = torch.cat([links.positive, links.negative.flatten(0, 1).long()])
    scores = score_pairs(model, prepared, pairs)
    positive, negative = scores[:7], scores[7:].view(7, 11)
    model.pairs_at_once = at_once
    given = links if kept_as == "targets" else LinkSet(links.positive, links.negative)
    found = evaluate(model, prepared, given, METRICS.values())
    assert set(found) == {"hits@1", "hits@3", "hits@10", "mrr", "auc", "ap"}
    for name, value in found.items():
        assert value == pytest.approx(metric(name)(positive, negative), abs=1e-9)
    for left, right in zip(link_scores(model, prepared, given), (positive, negative), strict=True):
        torch.testing.assert_close(left, right)


class Watched:
    """Counts what it is asked for."""

    def __init__(self, model: Any) -> None:
        self.model, self.encodings, self.largest, self.pairs = model, 0, 0, 0
        encode, score = model.encode, model.score

        def counted_encode(prepared: Any) -> Any:
            self.encodings += 1
            return encode(prepared)

        def counted_score(state: Any, pairs: Tensor) -> Tensor:
            self.largest, self.pairs = max(self.largest, len(pairs)), self.pairs + len(pairs)
            assert pairs.dtype == torch.int64
            assert not torch.is_grad_enabled()
            assert not model.training
            return score(state, pairs)

        model.encode, model.score = counted_encode, counted_score


def test_one_encoding_and_no_batch_above_the_limit() -> None:
    split, links = community_split(), own_links(20, 30)
    model = build(split.graph, input={"hidden": 4}, propagation={"depth": 1}, head={"hidden": 4})
    model.train()
    watched = Watched(model)
    model.pairs_at_once = 64
    measure(model, model.prepare(split.graph), links, [metric("mrr"), metric("ap")])
    assert (watched.encodings, watched.pairs) == (1, 20 * 31)
    assert watched.largest <= 64
    assert model.training
    assert torch.is_grad_enabled()


PEAK = """
import resource, torch
from hlgnn.data.own_targets import OwnTargets
from hlgnn.evaluation import METRICS
from hlgnn.models import LinkModel
from hlgnn.training.evaluate import evaluate

class Vectors(LinkModel):
    def prepare(self, graph): return None
    def encode(self, prepared): return torch.arange(1000.0)
    def score(self, state, pairs): return state[pairs[:, 0]] - state[pairs[:, 1]]

def peak(): return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
def links(count): return OwnTargets(torch.randint(1000, (count, 2)), torch.randint(1000, (count, 1000)).int())
evaluate(Vectors(), None, links(100), METRICS.values())
many = links(5_000)
before = peak()
evaluate(Vectors(), None, many, METRICS.values())
print(peak() - before)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="peak memory is in kilobytes there")
def test_five_million_candidates_take_the_memory_of_a_block() -> None:
    """Their pairs alone would be 80 MB, and the scores 20; a process of its own has a peak of its own."""
    output = subprocess.run([sys.executable, "-c", PEAK], check=True, capture_output=True, text=True).stdout
    assert int(output) < 25
