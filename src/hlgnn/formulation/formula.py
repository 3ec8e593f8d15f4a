"""A formulation as a reader of the paper expects it: App. C.2, in plain text or LaTeX."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from hlgnn.formulation.operators import Operator

Style = Literal["text", "latex"]

Terms = list[tuple[float, tuple["Operator", ...]]]
"""Each β with the operators of its product, from left to right."""

_SUPERSCRIPTS = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class _Symbols(NamedTuple):
    result: str
    identity: str
    matrices: tuple[str, str, str, str]  # adj, sym, row, col
    scale: str
    brackets: tuple[str, str]
    minus: str
    space: str  # between a number and a matrix


def write_formula(
    terms: Terms, style: Style = "text", *, digits: int = 4, degree_scale: bool = False, self_loops: bool = True
) -> str:
    r"""H = Σ β A_1 ⋯ A_l: runs of one operator as powers, mixtures in brackets, and no tilde without self-loops.

    Example:
        >>> from hlgnn.formulation.operators import COL, ROW, Operator
        >>> write_formula([(1.0, (ROW, COL)), (-0.5, (ROW, ROW, Operator(adj=0.25, row=0.75)))])
        'H = Ã_rs Ã_cs − 0.5 Ã_rs² (0.25 Ã + 0.75 Ã_rs)'
        >>> print(write_formula([(0.2, ()), (0.16, (ROW,))], "latex", degree_scale=True, self_loops=False))
        \boldsymbol{H} = \frac{d_i}{2M} \left( 0.2\,\boldsymbol{I} + 0.16\,\boldsymbol{A}_{\mathrm{rs}} \right)
    """
    symbols = _text(self_loops=self_loops) if style == "text" else _latex(self_loops=self_loops)
    written = [(beta, _product(operators, style, symbols, digits)) for beta, operators in terms]
    body = _sum(written, style, symbols, digits)
    if degree_scale and written:
        alone = len(written) == 1 and terms[0][0] > 0
        body = f"{symbols.scale} {body if alone else _bracketed(body, symbols)}"
    return f"{symbols.result} = {body}"


def write_tilted_formula(
    betas: Sequence[float],
    tilts: Sequence[float],
    style: Style = "text",
    *,
    digits: int = 4,
    reading: bool = False,
    degree_scale: bool = False,
    self_loops: bool = True,
) -> str:
    """H = Σ β A_l ⋯ A_1 with A_l = D^-(1-s) Ã D^-s, and the s of each layer.

    Example:
        >>> write_tilted_formula([0.5, 0.3, 0.2], [0.1, -0.5])
        'H = 0.5 I + 0.3 A_1 + 0.2 A_2 A_1 with A_l = D̃^-(1-s_l) Ã D̃^-s_l, s = (0.6, 0)'
    """
    symbols = _text(self_loops=self_loops) if style == "text" else _latex(self_loops=self_loops)
    name = "A_{}" if style == "text" else r"\boldsymbol{{A}}_{{{}}}"
    terms = []
    for order, beta in enumerate(betas):
        levels = range(1, order + 1) if reading else range(order, 0, -1)
        if beta != 0:
            terms.append((beta, " ".join(name.format(level) for level in levels) or symbols.identity))
    shares = ", ".join(_number(0.5 + tilt, style, digits) for tilt in tilts)
    matrix, body = symbols.matrices[0], _sum(terms, style, symbols, digits)
    if style == "text":
        degree = "D̃" if self_loops else "D"
        law = f" with A_l = {degree}^-(1-s_l) {matrix} {degree}^-s_l, s = ({shares})"
    else:
        degree = r"\tilde{\boldsymbol{D}}" if self_loops else r"\boldsymbol{D}"
        law = rf",\quad \boldsymbol{{A}}_l = {degree}^{{-(1-s_l)}} {matrix} {degree}^{{-s_l}},\; s = ({shares})"
    if degree_scale:
        body = f"{symbols.scale} {_bracketed(body, symbols)}"
    return f"{symbols.result} = {body}{law}"


def _text(*, self_loops: bool) -> _Symbols:
    matrix, degree = ("Ã", "d̃_i") if self_loops else ("A", "d_i")
    matrices = (matrix, f"{matrix}_sym", f"{matrix}_rs", f"{matrix}_cs")
    return _Symbols("H", "I", matrices, f"({degree} / 2M)", ("(", ")"), "−", " ")


def _latex(*, self_loops: bool) -> _Symbols:
    matrix, degree = (r"\boldsymbol{A}", "d")
    if self_loops:
        matrix, degree = rf"\tilde{{{matrix}}}", rf"\tilde{{{degree}}}"
    sym, row, col = (rf"{matrix}_{{\mathrm{{{name}}}}}" for name in ("sym", "rs", "cs"))
    scale, brackets = rf"\frac{{{degree}_i}}{{2M}}", (r"\left( ", r" \right)")
    return _Symbols(r"\boldsymbol{H}", r"\boldsymbol{I}", (matrix, sym, row, col), scale, brackets, "-", r"\,")


def _product(operators: Iterable[Operator], style: Style, symbols: _Symbols, digits: int) -> str:
    """A_1 ⋯ A_l, or the identity."""
    factors = []
    for operator, run in groupby(operators):
        power = len(list(run))
        factor = _matrix(operator, style, symbols, digits)
        exponent = str(power).translate(_SUPERSCRIPTS) if style == "text" else f"^{{{power}}}"
        factors.append(factor if power == 1 else factor + exponent)
    return " ".join(factors) or symbols.identity


def _matrix(operator: Operator, style: Style, symbols: _Symbols, digits: int) -> str:
    """One matrix of Table 1 by its name, any other mixture as a sum in brackets."""
    parts = [(weight, name) for weight, name in zip(operator, symbols.matrices, strict=True) if weight != 0]
    if operator.powers is not None:
        return parts[0][1]
    return _bracketed(_sum(parts, style, symbols, digits), symbols)


def _sum(terms: Sequence[tuple[float, str]], style: Style, symbols: _Symbols, digits: int) -> str:
    """c_1 t_1 + c_2 t_2 − …, or zero."""
    written = ""
    for coefficient, term in terms:
        number = _number(abs(coefficient), style, digits)
        weighted = term if number == "1" else f"{number}{symbols.space}{term}"
        sign = symbols.minus if coefficient < 0 else "+"
        if written:
            written += f" {sign} {weighted}"
        else:
            written = f"{symbols.minus}{weighted}" if coefficient < 0 else weighted
    return written or "0"


def _number(value: float, style: Style, digits: int) -> str:
    number = f"{value:.{digits}g}"
    mantissa, _, exponent = number.partition("e")
    return number if style == "text" or not exponent else rf"{mantissa} \cdot 10^{{{int(exponent)}}}"


def _bracketed(body: str, symbols: _Symbols) -> str:
    return f"{symbols.brackets[0]}{body}{symbols.brackets[1]}"
