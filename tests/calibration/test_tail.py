"""A calibrated ranking: probabilities that fall with the score and add up, and what does not matter."""

from __future__ import annotations

import pytest
import torch

from calibration.worlds import World, falling, make_world, seeded
from hlgnn.calibration import TailCalibration, by_rank, depths, reliability_curve
from hlgnn.errors import SettingsError
from hlgnn.formulation import RankedLinks


def calibrated(world: World, count: int, *, sample: int = 2000, seed: int = 0) -> TailCalibration:
    others = (~world.held_out & ~world.missing).nonzero().flatten()
    drawn = others[torch.randperm(len(others), generator=seeded(seed))[:sample]]
    return TailCalibration.of(
        world.ranked(count),
        world.links,
        len(world.pairs),
        positive=world.scores[world.held_out],
        negative=world.scores[drawn],
    )


def test_the_estimate_is_that_by_rank() -> None:
    world = make_world(falling(5000, 1.0), 200, 300, seeded(0))
    tail = world.held_out[:600]
    expected = by_rank(depths(tail), int((~tail).sum()), 100, 300, 200)
    assert calibrated(world, 600).expected(100, 300) == expected


def test_other_hidden_links_do_not_change_the_estimate() -> None:
    world = make_world(falling(5000, 1.0), 200, 300, seeded(0))
    unknown = world._replace(missing=torch.zeros_like(world.missing))
    assert calibrated(world, 600).expected(50, 99) == calibrated(unknown, 600).expected(50, 99)


def test_order_and_direction_of_held_out_links_do_not_matter() -> None:
    world = make_world(falling(5000, 1.0), 200, 300, seeded(0))
    shuffled = world.links[torch.randperm(200, generator=seeded(1))].flip(1)
    scores, grid = world.scores[world.held_out], torch.linspace(-5, 5, 200)
    first, second = (
        TailCalibration.of(world.ranked(600), links, 5000, positive=given, negative=world.scores[::7])
        for links, given in ((world.links, scores), (shuffled, scores.flip(0)))
    )
    assert first.expected(100, 300) == second.expected(100, 300)
    assert torch.allclose(first.probability(grid, 300), second.probability(grid, 300), rtol=1e-6)


@pytest.mark.parametrize("missing", [0, 20, 200, 900, 4000])
@pytest.mark.parametrize("steepness", [0.0, 0.7, 1.5, 3.0])
def test_probabilities_fall_with_the_score_and_add_up(steepness: float, missing: int) -> None:
    world = make_world(falling(8000, steepness), 200, 200, seeded(2))
    tail = calibrated(world, 800)
    grid = torch.linspace(6, -6, 3000, dtype=torch.float64)
    chance = tail.probability(grid, missing)
    assert bool((chance >= 0).all())
    assert bool((chance <= 1).all())
    assert bool((chance.diff() <= 1e-12).all())
    total = float(tail.probability(world.scores[~world.held_out], missing).sum())
    assert total == pytest.approx(missing, rel=0.05)


def test_few_links_among_many_candidates_add_up_too() -> None:
    world = make_world(falling(200_000, 1.2), 250, 500, seeded(4))
    tail = calibrated(world, 1000, sample=50_000)
    chance = tail.probability(world.scores[~world.held_out], 500)
    assert float(chance.sum()) == pytest.approx(500, rel=0.05)
    truth = world.missing[~world.held_out]
    assert float(chance[:1000].sum()) == pytest.approx(int(truth[:1000].sum()), rel=0.25)


def test_nothing_jumps_up_where_the_tail_ends() -> None:
    world = make_world(falling(8000, 1.0), 400, 200, seeded(3))
    tail = calibrated(world, 1000)
    end = float(tail.rate.floor[-1])
    above, below = tail.rate(torch.tensor([end, end - 1e-9])).tolist()
    assert below <= above
    assert below > above / 10


def test_all_candidates_alike_have_the_share_of_missing_links() -> None:
    pairs = torch.stack([torch.arange(100), torch.arange(100) + 100], dim=1)
    ranked = RankedLinks(pairs, torch.ones(100, dtype=torch.float64))
    tail = TailCalibration.of(ranked, pairs[:20], 100)
    assert tail.probability(torch.ones(1), 8).item() == pytest.approx(8 / 80)
    assert tail.expected(80, 8).k == 80
    cut = TailCalibration.of(RankedLinks(pairs[:50], ranked.scores[:50]), pairs[:20], 100, negative=torch.ones(9))
    assert cut.probability(torch.ones(1), 8).item() == pytest.approx(8 / 80)  # ties across the end of the tail


def test_by_hand() -> None:
    """Ten held-out links of twenty pairs above, none of the others: the rate above is one, so all are real."""
    pairs = torch.stack([torch.arange(40), torch.arange(40) + 100], dim=1)
    scores = torch.cat([torch.full((20,), 2.0), torch.full((20,), 1.0)]).double()
    tail = TailCalibration.of(RankedLinks(pairs, scores), pairs[:20:2], 40)
    assert tail.probability(torch.tensor([3.0, 2.0, 1.0, 0.0]), 5).tolist() == pytest.approx([0.5, 0.5, 0, 0], abs=1e-9)


def test_probabilities_are_reliable_on_average() -> None:
    predicted, real = [], []
    for seed in range(20):
        world = make_world(falling(4000, 0.8), 300, 300, seeded(seed))
        tail = calibrated(world, 1000, seed=seed)
        predicted.append(tail.probability(world.scores[~world.held_out], 300))
        real.append(world.missing[~world.held_out])
    curve = reliability_curve(torch.cat(predicted), torch.cat(real), bins=6, level=0.99)
    assert len(curve) > 3
    assert all(abs(each.predicted - each.observed) < 0.25 * each.observed + 0.02 for each in curve)


def test_a_tail_that_is_too_short_is_refused() -> None:
    world = make_world(falling(5000, 1.0), 200, 300, seeded(0))
    with pytest.raises(SettingsError, match="too few to speak of the best 700"):
        calibrated(world, 600).expected(700, 300)
    with pytest.raises(SettingsError, match="cannot hold"):
        TailCalibration.of(world.ranked(600), world.links, 300)
    with pytest.raises(SettingsError, match="cannot hold"):
        TailCalibration.of(world.ranked(600), world.links[:0], 5000)


def test_a_list_longer_than_all_candidates_is_cut() -> None:
    world = make_world(falling(100, 0.0), 20, 30, seeded(0))
    assert calibrated(world, 100).expected(1000, 30).k == 80
