import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.testing import assert_close

from formulation_strategies import MIXTURES, dense_operator
from hlgnn.errors import SettingsError, UnknownNameError
from hlgnn.formulation.kernels import KERNELS, VARIABLE, choose, numba_fused, reference, torch_csr
from hlgnn.formulation.normalization import Normalized, normalize
from hlgnn.formulation.operators import Operator
from hlgnn.graph import Graph, star
from strategies import graphs

DTYPES = st.sampled_from([torch.float32, torch.float64])
NAMES = pytest.mark.parametrize("name", ["numba", "torch"])


def features(graph: Graph, width: int, dtype: torch.dtype, seed: int = 0) -> torch.Tensor:
    return torch.randn(graph.num_nodes, width, dtype=dtype, generator=torch.Generator().manual_seed(seed))


def close(left: torch.Tensor, right: torch.Tensor) -> None:
    """Equal up to the rounding of their precision, relative to the largest entry."""
    scale = float(right.abs().max()) if right.numel() else 0.0
    tolerance = 1e-5 if left.dtype == torch.float32 else 1e-12
    assert_close(left, right.to(left.dtype), rtol=0, atol=tolerance * max(scale, 1.0))


def setting(graph: Graph, operator: Operator, dtype: torch.dtype, loops: bool) -> tuple[Normalized, torch.Tensor]:
    return normalize(graph.adjacency, self_loops=loops, dtype=dtype), torch.tensor(operator, dtype=dtype)


@given(graph=graphs(weighted=None), operator=MIXTURES, loops=st.booleans(), width=st.integers(0, 5))
def test_the_reference_is_eq_3(graph: Graph, operator: Operator, loops: bool, width: int) -> None:
    normalized, weights = setting(graph, operator, torch.float64, loops)
    x = features(graph, width, torch.float64)
    close(reference.forward(normalized, weights, x), dense_operator(graph, operator, self_loops=loops) @ x)


@NAMES
@given(graph=graphs(weighted=None), operator=MIXTURES, loops=st.booleans(), width=st.integers(0, 37), dtype=DTYPES)
def test_every_kernel_equals_the_reference(
    name: str, graph: Graph, operator: Operator, loops: bool, width: int, dtype: torch.dtype
) -> None:
    normalized, weights = setting(graph, operator, dtype, loops)
    exact, double = setting(graph, operator, torch.float64, loops)
    x, grad = features(graph, width, dtype), features(graph, width, dtype, seed=1)
    y = KERNELS[name].forward(normalized, weights, x)
    grad_x, grad_operator = KERNELS[name].backward(normalized, weights, x, grad)
    expected_x, expected_operator = reference.backward(exact, double, x.double(), grad.double())
    assert {y.dtype, grad_x.dtype, grad_operator.dtype} == {dtype}
    close(y, reference.forward(exact, double, x.double()))
    close(grad_x, expected_x)
    close(grad_operator, expected_operator)


@NAMES
@given(
    graph=graphs(weighted=None),
    operator=MIXTURES,
    loops=st.booleans(),
    dtype=DTYPES,
    weight=st.sampled_from([0.0, -0.5, 3.0]),
    reuse=st.booleans(),
)
def test_fused_steps_equal_the_steps_one_after_another(
    name: str, graph: Graph, operator: Operator, loops: bool, dtype: torch.dtype, weight: float, reuse: bool
) -> None:
    normalized, weights = setting(graph, operator, dtype, loops)
    z, x, beta = features(graph, 7, dtype), features(graph, 7, dtype, seed=1), torch.tensor(weight, dtype=dtype)
    product = KERNELS[name].forward(normalized, weights, z)
    out = torch.full_like(z, torch.nan) if reuse else None
    close(KERNELS[name].shifted(normalized, weights, z, beta, x, out=out), product + weight * x)
    total = x.clone()
    close(KERNELS[name].accumulated(normalized, weights, z, beta, total, out=out), product)
    close(total, x + weight * product)
    total = x.clone()
    projected, inner = KERNELS[name].projected(normalized, weights, z, beta, total, x, out=out)
    close(projected, product)
    close(total, x + weight * product)
    close(inner, (product * x).sum())
    base = features(graph, 7, dtype, seed=2)
    grad_x, grad_operator = KERNELS[name].backward(normalized, weights, z, x)
    pulled, grad_weights, inner = KERNELS[name].pulled(normalized, weights, z, x, beta, base, out=out)
    close(pulled, grad_x + weight * base)
    close(grad_weights, grad_operator)
    close(inner, (z * base).sum())


@NAMES
def test_a_graph_that_threads_share_gives_the_same(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    generator = torch.Generator().manual_seed(0)
    graph = Graph.from_edges(200, torch.randint(200, (900, 2), generator=generator) ** 2 // 200)  # a few hubs
    normalized, weights = setting(graph, Operator(0.5, -1.0, 2.0, 0.25), torch.float64, loops=True)
    x, grad = features(graph, 9, torch.float64), features(graph, 9, torch.float64, seed=1)
    monkeypatch.setattr(numba_fused, "SINGLE_THREADED", 0)
    monkeypatch.setattr(numba_fused, "num_threads", lambda: 3)
    assert len(numba_fused.row_spans(normalized, 9)) == 12
    close(KERNELS[name].forward(normalized, weights, x), reference.forward(normalized, weights, x))
    ours, expected = (
        KERNELS[name].backward(normalized, weights, x, grad),
        reference.backward(normalized, weights, x, grad),
    )
    close(ours[0], expected[0])
    close(ours[1], expected[1])


@given(graph=graphs(max_nodes=30), threads=st.integers(2, 5))
def test_ranges_of_rows_cover_each_row_once_and_share_the_edges(graph: Graph, threads: int) -> None:
    normalized = normalize(graph.adjacency)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numba_fused, "SINGLE_THREADED", 0)
        patch.setattr(numba_fused, "num_threads", lambda: threads)
        spans = numba_fused.row_spans(normalized, 1)
    assert [row for start, stop in spans for row in range(start, stop)] == list(range(graph.num_nodes))
    share = (graph.num_nodes + graph.adjacency.num_edges) / (threads * numba_fused.RANGES_PER_THREAD)
    for start, stop in spans:
        edges = int((graph.degree[start:stop] + 1).sum())
        assert edges <= share + 1 + int(graph.degree[start:stop].max())


@NAMES
def test_rows_need_not_be_contiguous_and_nothing_is_changed(name: str) -> None:
    graph = star(5)
    normalized, weights = setting(graph, Operator(1.0, 2.0, 3.0, 4.0), torch.float64, loops=True)
    x = torch.arange(24.0, dtype=torch.float64).view(4, 6).T
    before = x.clone()
    close(KERNELS[name].forward(normalized, weights, x), reference.forward(normalized, weights, before.contiguous()))
    ours = KERNELS[name].backward(normalized, weights, x, x.flip(1))
    close(ours[0], reference.backward(normalized, weights, before, before.flip(1))[0])
    assert torch.equal(x, before)


def test_a_graph_in_double_precision_multiplies_features_in_single() -> None:
    graph = star(5)
    normalized, weights = setting(graph, Operator(row=1.0), torch.float64, loops=True)
    x = features(graph, 3, torch.float32)
    for kernel in KERNELS.values():
        y = kernel.forward(normalized, weights, x)
        assert y.dtype == torch.float32
        close(y, reference.forward(normalized, weights, x.double()))


def test_what_is_not_a_number_stays_with_its_neighbours() -> None:
    graph = Graph.from_edges(4, torch.tensor([[0, 1], [2, 3]]))
    normalized, weights = setting(graph, Operator(sym=1.0), torch.float32, loops=False)
    x = torch.tensor([[torch.nan], [1.0], [1.0], [1.0]])
    y = numba_fused.forward(normalized, weights, x)
    assert y.isnan().flatten().tolist() == [False, True, False, False]


def test_the_kernel_fits_the_features(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(VARIABLE, raising=False)
    assert choose(torch.zeros(1, 1)) is numba_fused
    assert choose(torch.zeros(1, 1, dtype=torch.float64)) is numba_fused
    assert choose(torch.zeros(1, 1, dtype=torch.bfloat16)) is torch_csr
    assert choose(torch.zeros(1, 1, device="meta")) is torch_csr


def test_the_environment_names_a_kernel(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, kernel in {"reference": reference, "numba": numba_fused, "torch": torch_csr}.items():
        monkeypatch.setenv(VARIABLE, name)
        assert choose(torch.zeros(1, 1)) is kernel
    monkeypatch.setenv(VARIABLE, "nunba")
    with pytest.raises(UnknownNameError, match=r"HLGNN_KERNEL: There is no kernel .* mean 'numba'"):
        choose(torch.zeros(1, 1))
    monkeypatch.setenv(VARIABLE, "numba")
    with pytest.raises(SettingsError, match=r"cannot multiply torch\.bfloat16 on cpu"):
        choose(torch.zeros(1, 1, dtype=torch.bfloat16))


def test_half_precision_is_summed_in_single() -> None:
    graph = star(3000)
    normalized, weights = setting(graph, Operator(adj=1.0), torch.float32, loops=True)
    y = torch_csr.forward(normalized, weights, torch.ones(graph.num_nodes, 1, dtype=torch.float16))
    assert y.dtype == torch.float16
    assert y[0, 0] == torch.tensor(3001.0).half()
