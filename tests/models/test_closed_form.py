"""Regression as a method: its scores are those of the matrix, and the penalty is chosen on validation links."""

import torch

from hlgnn.graph import karate_club
from hlgnn.models.closed_form import ClosedForm, ClosedFormSettings
from hlgnn.models.pair_features import neighborhoods
from hlgnn.models.regression import regressions
from hlgnn.seeds import Seeds
from hlgnn.training.fit import fit
from hlgnn.training.train_settings import TrainSettings
from toy_models import community_split


def test_scores_are_the_entries_for_the_penalty_that_is_used() -> None:
    graph, generator = karate_club(), torch.Generator().manual_seed(0)
    model = ClosedForm(graph, ClosedFormSettings(penalties=(0.5, 5.0)), generator)
    model.choose(1)
    pairs = torch.combinations(torch.arange(graph.num_nodes), 2)
    expected = regressions(neighborhoods(graph).pattern, (5.0,))[0]
    found = model.score(model.encode(model.prepare(graph)), pairs)
    assert torch.equal(found, expected[pairs[:, 0], pairs[:, 1]])


def test_nothing_is_learned_and_the_penalty_is_chosen_on_validation_links() -> None:
    split, penalties, best = community_split(1), (0.01, 1.0, 30.0), []
    for chosen in [*((each,) for each in penalties), penalties]:
        model = ClosedForm(split.graph, ClosedFormSettings(penalties=chosen), torch.Generator())
        assert not list(model.parameters())
        best.append(fit(model, split, TrainSettings(), default_metric="mrr", seeds=Seeds(0)).best_valid)
    assert best[3] == max(best[:3])
    assert len(set(best[:3])) == 3
