"""The choice of a plan: it fits, more memory never makes it slower, and what is said to be enough is enough."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hlgnn.errors import SettingsError
from hlgnn.models.memory_estimate import Operators, WorkSizes, training_use
from hlgnn.models.memory_plan import MemoryPlan
from hlgnn.training.choose_plan import choose_plan, plan_costs

SIZES = WorkSizes(
    nodes=200_000,
    links=1_000_000,
    input_width=128,
    width=128,
    embedding=128,
    linear=False,
    prepared=0,
    sparse=False,
    depth=15,
    operators="mixture",
    unit=False,
    noise=0,
    head_hidden=128,
    head_layers=1,
    pairs=131_072,
    evaluated=10_000,
    graphs=2,
    hidden_links=False,
    parameters=200_000 * 128,
)
KINDS: tuple[Operators, ...] = ("fixed", "mixture", "literal-mixture", "geometric")
PATHS = {"plain": 1.0}
WORKS = st.builds(
    lambda nodes, width, depth, kind: replace(
        SIZES,
        nodes=nodes,
        links=5 * nodes,
        input_width=width,
        width=width,
        embedding=width,
        parameters=nodes * width,
        depth=depth,
        operators=kind,
    ),
    st.integers(1000, 3_000_000),
    st.integers(8, 512),
    st.integers(0, 30),
    st.sampled_from(KINDS),
)


@settings(max_examples=60)
@given(sizes=WORKS, budget=st.integers(10**8, 10**11))
def test_the_chosen_plan_fits_or_the_least_is_named_and_is_enough(sizes: WorkSizes, budget: int) -> None:
    least = min(10**8 + training_use(sizes, plan).bytes for _, plan in plan_costs(sizes, PATHS))
    if least <= budget:
        assert choose_plan(sizes, PATHS, budget=budget, base=10**8).bytes <= budget
        return
    with pytest.raises(SettingsError, match="the least is"):
        choose_plan(sizes, PATHS, budget=budget, base=10**8)
    assert choose_plan(sizes, PATHS, budget=least, base=10**8).bytes == least


@settings(max_examples=60)
@given(sizes=WORKS, low=st.integers(10**8, 10**11), more=st.integers(0, 10**11))
def test_more_memory_never_makes_a_step_slower(sizes: WorkSizes, low: int, more: int) -> None:
    cost = {plan: cost for cost, plan in plan_costs(sizes, PATHS)}
    try:
        small = choose_plan(sizes, PATHS, budget=low, base=0)
    except SettingsError:
        return
    assert cost[choose_plan(sizes, PATHS, budget=low + more, base=0).plan] <= cost[small.plan]


@settings(max_examples=60)
@given(sizes=WORKS, columns=st.integers(1, 256))
def test_what_a_plan_saves_it_saves(sizes: WorkSizes, columns: int) -> None:
    """Less is never more: fewer columns, fewer layers, half the bits, files."""
    wide, narrow = (MemoryPlan(columns=each) for each in (2 * columns, columns))
    assert training_use(sizes, narrow).bytes <= training_use(sizes, wide).bytes
    whole, root = (training_use(sizes, MemoryPlan(layers=each)).bytes for each in ("all", "root"))
    assert sizes.depth < 12 or root <= whole
    half = training_use(sizes, MemoryPlan(layers="all", precision="bfloat16")).bytes
    assert sizes.operators == "fixed" or half <= whole  # a fixed one keeps no layers; its blocks are wider in bfloat16
    files = training_use(sizes, MemoryPlan(mapped=True))
    plain = training_use(sizes, MemoryPlan())
    assert files.bytes < plain.bytes
    assert files.mapped > 0 == plain.mapped


def test_without_a_limit_the_fastest_plan_is_chosen() -> None:
    planned = choose_plan(SIZES, PATHS, budget=None, base=0)
    assert planned.plan == MemoryPlan(layers="all")
    assert choose_plan(replace(SIZES, operators="fixed"), PATHS, budget=None, base=0).plan.columns == 0


@pytest.mark.parametrize(("kind", "steps"), [("fixed", 2), ("mixture", 4), ("geometric", 3)])
def test_smaller_and_smaller_budgets_lead_from_plan_to_plan(kind: Operators, steps: int) -> None:
    """Each budget is just below what the plan before took."""
    sizes, plans, budget = replace(SIZES, operators=kind), [], 10**12
    while True:
        try:
            planned = choose_plan(sizes, PATHS, budget=budget, base=0)
        except SettingsError:
            break
        plans.append(planned.plan)
        budget = planned.bytes - 1
    assert len(plans) >= steps
    assert plans[-1].mapped
    assert kind == "fixed" or 0 < plans[-1].columns < sizes.width


def test_a_path_that_keeps_products_is_taken_where_it_fits() -> None:
    sizes = replace(SIZES, operators="fixed", embedding=0, parameters=40_000, linear=True, input_width=64)
    paths = {"plain": 10.0, "once": 1.0}
    assert choose_plan(sizes, paths, budget=10**12, base=0).plan.path == "once"
    less = choose_plan(sizes, paths, budget=2 * 10**9, base=0)
    assert (less.plan.path, less.plan.mapped) == ("once", True)  # in a file of 1.7 GB
    assert less.mapped > 1.6 * 10**9


@given(sizes=WORKS, count=st.integers(1, 5))
def test_every_regression_takes_a_dense_matrix_for_each_message_graph(sizes: WorkSizes, count: int) -> None:
    without, regressed = (
        training_use(replace(sizes, regressions=each), MemoryPlan()).bytes for each in (count - 1, count)
    )
    assert regressed - without >= 4 * sizes.nodes**2 * sizes.graphs
