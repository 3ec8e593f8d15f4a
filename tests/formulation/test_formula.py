import re

import torch
from hypothesis import given
from torch.testing import assert_close

from formulation_strategies import dense_h, dense_matrices, formulations
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM, Operator
from hlgnn.graph import Graph, karate_club
from strategies import graphs

NUMBERS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹", "0123456789")


def evaluate(formula: str, graph: Graph, *, self_loops: bool) -> torch.Tensor:
    """Read a formula as a person does: what stands side by side is multiplied, a power repeats what it stands at."""
    head, _, body = formula.partition(" = ")
    assert head == "H"
    matrices = dense_matrices(graph, self_loops=self_loops)
    symbol = "Ã" if self_loops else "A"
    names = dict(zip((symbol, f"{symbol}_sym", f"{symbol}_rs", f"{symbol}_cs"), matrices, strict=True))
    names["I"] = torch.eye(graph.num_nodes, dtype=torch.float64)
    degree = matrices[0].sum(dim=1)
    names["SCALE"] = torch.diag(degree / (degree.sum() - self_loops * graph.num_nodes))
    body = body.replace("(d̃_i / 2M)" if self_loops else "(d_i / 2M)", "SCALE")
    tokens = re.findall(r"[⁰¹²³⁴⁵⁶⁷⁸⁹]+|[()+−]|\d[\d.e+-]*|[A-ZÃ][A-Za-z_]*", body)
    assert "".join(tokens) == body.replace(" ", "")
    return _sum(tokens, names)


def _sum(tokens: list[str], names: dict[str, torch.Tensor]) -> torch.Tensor:
    total, sign = torch.zeros_like(names["I"]), 1.0
    while tokens and tokens[0] != ")":
        if tokens[0] in "+−":
            sign = 1.0 if tokens.pop(0) == "+" else -1.0
        total = total + sign * _product(tokens, names)
    return total


def _product(tokens: list[str], names: dict[str, torch.Tensor]) -> torch.Tensor:
    product = names["I"]
    while tokens and tokens[0] not in "+−)":
        token = tokens.pop(0)
        if token == "(":
            factor = _sum(tokens, names)
            assert tokens.pop(0) == ")"
        else:
            factor = names[token] if token in names else float(token) * names["I"]
        power = int(tokens.pop(0).translate(NUMBERS)) if tokens and tokens[0][0] in "⁰¹²³⁴⁵⁶⁷⁸⁹" else 1
        product = product @ torch.linalg.matrix_power(factor, power)
    return product


@given(graph=graphs(min_nodes=2, weighted=None).filter(lambda graph: graph.num_links > 0), formulation=formulations())
def test_the_formula_means_h(graph: Graph, formulation: Formulation) -> None:
    h = dense_h(graph, formulation)
    read = evaluate(formulation.formula(digits=17), graph, self_loops=formulation.self_loops)
    assert_close(read, h, rtol=0, atol=1e-10 * max(1.0, float(h.abs().max())))


def test_ten_or_more_of_one_operator_are_one_power() -> None:
    formulation = Formulation("h", (SYM,) * 12, (*[0.0] * 11, 1.0, 0.00001))
    assert formulation.formula() == "H = Ã_sym¹¹ + 1e-05 Ã_sym¹²"
    h = dense_h(karate_club(), formulation)
    assert_close(evaluate(formulation.formula(), karate_club(), self_loops=True), h)
    assert formulation.formula("latex").endswith(r"+ 1 \cdot 10^{-5}\,\tilde{\boldsymbol{A}}_{\mathrm{sym}}^{12}")


def test_the_weights_of_appendix_c_2() -> None:
    formulation = Formulation("cora", (SYM, SYM), (0.17952, 0.18944, 0.14838))
    matrix = r"\tilde{\boldsymbol{A}}_{\mathrm{sym}}"
    assert formulation.formula() == "H = 0.1795 I + 0.1894 Ã_sym + 0.1484 Ã_sym²"
    assert formulation.formula("latex") == (
        rf"\boldsymbol{{H}} = 0.1795\,\boldsymbol{{I}} + 0.1894\,{matrix} + 0.1484\,{matrix}^{{2}}"
    )


def test_orders_signs_mixtures_and_scales() -> None:
    mixed = Operator(sym=0.25, row=-0.75)
    terms = ((ROW, mixed, mixed, COL), (0.0, 0.0, 0.0, -1.0, 0.5))
    assert Formulation("h", *terms).formula() == (
        "H = −Ã_rs (0.25 Ã_sym − 0.75 Ã_rs)² + 0.5 Ã_rs (0.25 Ã_sym − 0.75 Ã_rs)² Ã_cs"
    )
    assert Formulation("h", *terms, order="recurrence").formula().endswith("+ 0.5 Ã_cs (0.25 Ã_sym − 0.75 Ã_rs)² Ã_rs")
    walk = Formulation("lrw", (ROW,), (0.2, 0.16), degree_scale=True)
    assert walk.formula() == "H = (d̃_i / 2M) (0.2 I + 0.16 Ã_rs)"
    assert walk.formula("latex").startswith(r"\boldsymbol{H} = \frac{\tilde{d}_i}{2M} \left( 0.2\,\boldsymbol{I}")
    assert (
        Formulation("lrw", (ROW,), (0.0, 1.0), degree_scale=True, self_loops=False).formula() == "H = (d_i / 2M) A_rs"
    )
    assert Formulation("cn", (ADJ, ADJ), (0.0, 0.0, 1.0), self_loops=False).formula() == "H = A²"
    assert Formulation("none", (ADJ,), (0.0, 0.0)).formula() == "H = 0"
