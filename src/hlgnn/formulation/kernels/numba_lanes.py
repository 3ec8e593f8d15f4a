"""Compiled passes over blocks of ``LANES`` columns: a row of the result is made in registers and written once.

A sum of Eq. 3 over neighbours needs three sums only, Σ x_j, Σ x_j / √d_j and Σ x_j / d_j, which the ends of the row
then weight; and the gradient of the operator needs one inner product of each with the row, instead of one for each
edge.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from hlgnn.formulation.kernels.numba_rows import FAST

if TYPE_CHECKING:
    import numpy.typing as npt

    from hlgnn.formulation.kernels.numba_rows import Matrix, Nodes, Offsets, Vector


# Columns of a block: eight registers of 512 bits in single precision for each of the three sums. Wider rows do not fit;
# narrower ones are worse, since what a row costs is mostly to find it.
LANES = 128
WORD = ir.IntType(64)


@intrinsic
def _row_sums(_context: Any, x: Any, neighbor: Any, root: Any, inverse: Any, first: Any, last: Any, sums: Any) -> Any:
    """Inside compiled code: Σ x_j, Σ x_j / √d_j and Σ x_j / d_j over the neighbours from ``first`` to ``last``.

    Args:
        x: Rows of exactly ``LANES`` columns, contiguous.
        neighbor: Whose rows are summed; of these the ones in [first, last).
        root: D^-½.
        inverse: D^-1.
        first: Where the neighbours begin.
        last: Where they end.
        sums: Takes the three sums, contiguous.  (3, LANES)
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def data(place: int) -> Any:
            return make_array(signature.args[place])(context, builder, arguments[place]).data  # type: ignore[no-untyped-call]

        number = context.get_value_type(signature.args[0].dtype)
        vector = ir.VectorType(number, LANES)
        size = context.get_abi_sizeof(number)
        rows, out = (builder.bitcast(data(place), vector.as_pointer()) for place in (0, 6))
        totals = [cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES)) for _ in range(3)]  # type: ignore[no-untyped-call]
        with cgutils.for_range(builder, arguments[5], start=arguments[4], intp=WORD) as loop:
            node = builder.sext(builder.load(builder.gep(data(1), [loop.index])), WORD)
            row = builder.load(builder.gep(rows, [node]), align=size)
            terms = [row]
            for place in (2, 3):
                factor = _spread(builder, vector, builder.load(builder.gep(data(place), [node])))
                terms.append(builder.fmul(row, factor, flags=tuple(FAST)))
            for total, term in zip(totals, terms, strict=True):
                builder.store(builder.fadd(builder.load(total), term, flags=tuple(FAST)), total)
        for place, total in enumerate(totals):
            builder.store(builder.load(total), builder.gep(out, [WORD(place)]), align=size)
        return context.get_dummy_value()

    return types.void(x, neighbor, root, inverse, first, last, sums), generate


def _spread(builder: Any, vector: Any, number: Any) -> Any:
    """A vector that has the number in every lane."""
    nothing, index = ir.Constant(vector, ir.Undefined), ir.IntType(32)
    one = builder.insert_element(nothing, number, index(0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(index, LANES), [0] * LANES))


# A caller names the seven arguments; the first parameter is numba's own.
row_sums: Any = _row_sums


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def multiply_lanes(
    offset: Offsets,
    neighbor: Nodes,
    _weight: Vector,
    loop: int,
    inverse: Vector,
    root: Vector,
    operator: Vector,
    x: Matrix,
    y: Matrix,
    beta: Vector,
    base: Matrix,
    total: Matrix,
    inner: Matrix,
    start: int,
    stop: int,
) -> float:
    """``numba_rows.multiply_rows`` for ``LANES`` columns and edges without weights."""
    based, totalled, projects = len(base) > 0, len(total) > 0, len(inner) > 0
    sums, scale, product = np.zeros((3, LANES), x.dtype), beta[0], 0.0
    for i in range(start, stop):
        row_sums(x, neighbor, root, inverse, offset[i], offset[i + 1], sums)
        plain, sym, col = operator[0] + operator[2] * inverse[i], operator[1] * root[i], operator[3]
        own = loop * (plain + sym * root[i] + col * inverse[i])
        for f in range(LANES):
            y[i, f] = own * x[i, f] + plain * sums[0, f] + sym * sums[1, f] + col * sums[2, f]
        if based:
            for f in range(LANES):
                y[i, f] += scale * base[i, f]
        if totalled:
            for f in range(LANES):
                total[i, f] += scale * y[i, f]
        if projects:
            dot = x.dtype.type(0)
            for f in range(LANES):
                dot += y[i, f] * inner[i, f]
            product += dot
    return product


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def backward_lanes(
    offset: Offsets,
    neighbor: Nodes,
    _weight: Vector,
    loop: int,
    inverse: Vector,
    root: Vector,
    operator: Vector,
    x: Matrix,
    grad: Matrix,
    grad_x: Matrix,
    beta: Vector,
    base: Matrix,
    start: int,
    stop: int,
) -> npt.NDArray[np.float64]:
    """``numba_rows.backward_rows`` for ``LANES`` columns and edges without weights.  (5,)"""
    sums, shares, zero = np.zeros((3, LANES), x.dtype), np.zeros(5, np.float64), x.dtype.type(0)
    for j in range(start, stop):
        row_sums(grad, neighbor, root, inverse, offset[j], offset[j + 1], sums)
        plain, sym, row = operator[0] + operator[3] * inverse[j], operator[1] * root[j], operator[2]
        own = loop * (plain + sym * root[j] + row * inverse[j])
        p, q, r, s = zero, zero, zero, zero
        for f in range(LANES):
            grad_x[j, f] = own * grad[j, f] + plain * sums[0, f] + sym * sums[1, f] + row * sums[2, f]
            p += sums[0, f] * x[j, f]
            q += sums[1, f] * x[j, f]
            r += sums[2, f] * x[j, f]
            s += grad[j, f] * x[j, f]
        if loop:
            p, q, r = p + s, q + s * root[j], r + s * inverse[j]
        if len(base) > 0:
            s = zero
            for f in range(LANES):
                grad_x[j, f] += beta[0] * base[j, f]
                s += x[j, f] * base[j, f]
            shares[4] += s
        shares[0] += p
        shares[1] += q * root[j]
        shares[2] += r
        shares[3] += p * inverse[j]
    return shares
