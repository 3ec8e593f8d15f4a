"""What predictors that learn nothing reach on the test links, so that a too easy benchmark shows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.audit.finding import Finding, TrivialScore, Verdict
from hlgnn.data import LinkSet
from hlgnn.evaluation import TRIVIAL, bootstrap, metric, score_links
from hlgnn.graph import Graph
from hlgnn.progress import Progress, silent
from hlgnn.seeds import Seeds

if TYPE_CHECKING:
    from hlgnn.audit.subject import Subject

EASY = 0.80
REPEATS = 200


def trivial_scores(subject: Subject, *, progress: Progress = silent) -> tuple[TrivialScore, ...]:
    """The score of every trivial predictor on the test links, with a 95 % interval."""
    part = subject.parts["test"]
    if part.negative is None or len(part.positive) == 0 or len(part.negative) == 0:
        return ()
    measure = metric(subject.metric or "auc")
    graph = Graph.from_edges(subject.num_nodes, part.messages, features=subject.features)
    if part.negative.shape[-2] < measure.least_negatives:  # a finding of its own
        return ()
    links, scores = LinkSet(part.positive, part.negative), []
    for number, name in enumerate(TRIVIAL):
        progress("Trivial predictors", number, len(TRIVIAL))
        if name == "feature-cosine" and subject.features is None:
            continue
        positive, negative = score_links(TRIVIAL[name], graph, links)
        interval = bootstrap(measure, positive, negative, generator=Seeds(0).generator("bootstrap"), repeats=REPEATS)
        scores.append(TrivialScore(name, measure.name, interval.value, interval.low, interval.high))
    progress("Trivial predictors", len(TRIVIAL), len(TRIVIAL))
    return tuple(scores)


def easy_benchmark(scores: tuple[TrivialScore, ...]) -> Finding:
    """A notice when a predictor that learns nothing is already good."""
    check = "trivial predictors"
    if not scores:
        return Finding(check, Verdict.CLEAN, "There is nothing to score.")
    best = max(scores, key=lambda score: score.value)
    message = f"The best of {len(scores)}, {best.predictor}, reaches {100 * best.value:.1f} {best.metric}."
    if best.value < EASY:
        return Finding(check, Verdict.CLEAN, message)
    return Finding(check, Verdict.NOTICE, f"{message} Report it beside any learned model.")
