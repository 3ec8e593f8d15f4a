"""Fifty layers on a hub with 10 000 leaves: what is bounded, in which norm, and what is not (decision 0003)."""

import pytest
import torch

from dense_learned import double_messages, drawn_propagation
from hlgnn.formulation.mixture_bound import mixture_bounds, trial_vectors
from hlgnn.formulation.normalization import normalize
from hlgnn.graph import star
from hlgnn.models import Propagation, PropagationSettings

DEPTH, LEAVES = 50, 10_000
HUB = star(LEAVES)
SLACK = 1 + 1e-9


def features(dtype: torch.dtype = torch.float64) -> torch.Tensor:
    return torch.randn(LEAVES + 1, 2, dtype=dtype, generator=torch.Generator().manual_seed(0))


@pytest.mark.parametrize(("mode", "share"), [("sym", 0.5), ("row", 0.0), ("col", 1.0)])
def test_fixed_operators_stretch_nothing_where_they_are_similar_to_the_symmetric_one(mode: str, share: float) -> None:
    """A = T Ã_sym T^-1 with T = D^(s-½), so ‖T^-1 Z‖ ≤ Σ|β_l| ‖T^-1 X‖."""
    propagation = drawn_propagation(0, operators=mode, depth=DEPTH)
    _assert_bounded_in_tilted_norm(propagation, share)


@pytest.mark.parametrize("order", ["recurrence", "reading"])
@pytest.mark.parametrize("alpha", [-30.0, -1.0, 0.0, 0.7, 30.0])
def test_geometric_operators_with_one_s_stretch_nothing_there(order: str, alpha: float) -> None:
    propagation = drawn_propagation(0, operators="geometric", order=order, depth=DEPTH)
    assert propagation.alpha is not None
    torch.nn.init.constant_(propagation.alpha, alpha)
    _assert_bounded_in_tilted_norm(propagation, float(torch.sigmoid(torch.tensor(alpha, dtype=torch.float64))))


def _assert_bounded_in_tilted_norm(propagation: Propagation, share: float) -> None:
    messages, x = double_messages(propagation, HUB), features()
    untilt = messages.normalized.degree[:, None] ** (0.5 - share)
    with torch.no_grad():
        z = propagation(messages, x)
    assert z.isfinite().all()
    assert (untilt * z).norm() <= SLACK * propagation.beta.abs().sum() * (untilt * x).norm()


@pytest.mark.parametrize("order", ["recurrence", "reading"])
@pytest.mark.parametrize(
    "alpha", [(0.0, 0.0, 0.0), (0.0, 0.0, 2.0), (1.0, -1.0, 0.0), (9.0, 0.0, 0.0), (-2.0, 3.0, 1.0)]
)
def test_one_mixture_repeated_stretches_nothing_in_the_norm_of_its_bound(
    order: str, alpha: tuple[float, float, float]
) -> None:
    """max_i |z_i| / x_i ≤ Σ|β_l| · max_i |x0_i| / x_i for the x that gives the bound."""
    propagation = drawn_propagation(0, operators="mixture", order=order, depth=DEPTH)
    assert propagation.alpha is not None
    with torch.no_grad():
        propagation.alpha.copy_(torch.tensor(alpha))
        messages, x = double_messages(propagation, HUB), features()
        z, weights = propagation(messages, x), torch.softmax(propagation.alpha, dim=1)[0]
        assert messages.bounds is not None
        ratios = torch.einsum("k,tkn->tn", weights, messages.bounds).amax(dim=1)  # (T,)
    assert float(mixture_bounds(messages.bounds, weights[None])) == float(ratios.min())
    trial = trial_vectors(messages.normalized)[:, ratios.argmin(), None]
    assert z.isfinite().all()
    assert (z.abs() / trial).max() <= SLACK * propagation.beta.detach().abs().sum() * (x.abs() / trial).max()


@pytest.mark.parametrize("mode", ["sym", "geometric", "mixture"])
def test_as_they_start_they_are_finite_in_single_precision(mode: str) -> None:
    settings = PropagationSettings(operators=mode, depth=DEPTH, beta_init="final-layer", beta_parameter=1.0)
    propagation = Propagation(settings, torch.Generator())
    messages, x = propagation.messages(normalize(HUB.adjacency, dtype=torch.float32)), features(torch.float32)
    z = propagation(messages, x.requires_grad_())
    z.square().sum().backward()
    assert z.isfinite().all()
    assert all(parameter.grad is not None and parameter.grad.isfinite().all() for parameter in propagation.parameters())


def test_the_mixture_as_printed_grows() -> None:
    """In equal parts its radius is above 10 here: fifty layers overflow single precision and pass 10^50 in double."""
    settings = PropagationSettings(
        operators="literal-mixture", depth=DEPTH, beta_init="final-layer", beta_parameter=1.0
    )
    propagation, x = Propagation(settings, torch.Generator()), torch.ones(LEAVES + 1, 1)
    with torch.no_grad():
        single = propagation(propagation.messages(normalize(HUB.adjacency, dtype=torch.float32)), x)
        propagation.double()
        double = propagation(double_messages(propagation, HUB), x.double())
    assert not single.isfinite().all()
    assert double.isfinite().all()
    assert double.min() > 1e50


def test_layers_that_differ_may_grow_whatever_bounds_each_of_them() -> None:
    """Row after column normalisation is D^-1 Ã² D^-1, with a radius of about a quarter of the leaves."""
    propagation = drawn_propagation(0, operators="geometric", depth=2)
    assert propagation.alpha is not None
    with torch.no_grad():
        propagation.alpha.copy_(torch.tensor([30.0, -30.0]))
        propagation.beta.copy_(torch.tensor([0.0, 0.0, 1.0]))
        x = torch.ones(LEAVES + 1, 1, dtype=torch.float64)
        z = propagation(double_messages(propagation, HUB), x)
    assert z[1:].mean() > LEAVES / 5
