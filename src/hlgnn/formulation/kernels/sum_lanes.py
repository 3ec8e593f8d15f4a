"""Passes for operators A = L Ã R with diagonal L and R, over blocks of ``LANES`` columns.

What is stored of a layer X is R X: a row of A X is then a plain sum of rows, made in registers, times a number. Layers
are stored in the precision of the sums or in bfloat16, which has a relative error of up to 2^-9 and rows half as long;
to fetch rows from memory is what a product costs on a large graph.
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

    Stored = npt.NDArray[Any]  # single or double precision, or bfloat16 as uint16

LANES = 128
WORD, SHORT, INTEGER = ir.IntType(64), ir.IntType(16), ir.IntType(32)
BITS = ir.VectorType(INTEGER, LANES)


@intrinsic
def _row_sum(_context: Any, x: Any, neighbor: Any, own: Any, first: Any, last: Any, to: Any) -> Any:
    """Inside compiled code: the sum of rows of x over neighbours in [first, last), and over ``own`` unless negative.

    Args:
        x: Rows of ``LANES`` stored numbers, contiguous.
        neighbor: Whose rows are summed.
        own: A node that is summed too, or -1.
        first: Where the neighbours begin.
        last: Where they end.
        to: Takes the sum.  (LANES,)
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, nodes, out = (_data(context, builder, signature, arguments, place) for place in (0, 1, 5))
        kept, summed = (context.get_value_type(signature.args[place].dtype) for place in (0, 5))
        vector, stored = ir.VectorType(summed, LANES), ir.VectorType(kept, LANES)
        rows = builder.bitcast(rows, stored.as_pointer())
        total = cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * LANES))  # type: ignore[no-untyped-call]

        def add(node: Any) -> None:
            row = builder.load(builder.gep(rows, [node]), align=context.get_abi_sizeof(kept))
            if kept != summed:  # bfloat16 is the upper half of single precision
                row = builder.bitcast(builder.shl(builder.zext(row, BITS), _all(16)), vector)
            builder.store(builder.fadd(builder.load(total), row, flags=tuple(FAST)), total)

        with builder.if_then(builder.icmp_signed(">=", arguments[2], WORD(0))):
            add(arguments[2])
        with cgutils.for_range(builder, arguments[4], start=arguments[3], intp=WORD) as loop:
            add(builder.sext(builder.load(builder.gep(nodes, [loop.index])), WORD))
        place = builder.bitcast(out, vector.as_pointer())
        builder.store(builder.load(total), place, align=context.get_abi_sizeof(summed))
        return context.get_dummy_value()

    return types.void(x, neighbor, own, first, last, to), generate


@intrinsic
def _store_row(_context: Any, row: Any, y: Any, node: Any) -> Any:
    """Inside compiled code: store a row as row ``node`` of y, rounded to the nearest if y is in bfloat16."""

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        source, target = (_data(context, builder, signature, arguments, place) for place in (0, 1))
        made, kept = (context.get_value_type(signature.args[place].dtype) for place in (0, 1))
        vector, stored = ir.VectorType(made, LANES), ir.VectorType(kept, LANES)
        numbers = builder.load(builder.bitcast(source, vector.as_pointer()), align=context.get_abi_sizeof(made))
        if kept != made:
            bits = builder.bitcast(numbers, BITS)
            odd = builder.and_(builder.lshr(bits, _all(16)), _all(1))  # ties go to even
            rounded = builder.add(builder.add(bits, _all(0x7FFF)), odd)
            numbers = builder.trunc(builder.lshr(rounded, _all(16)), stored)
        place = builder.gep(builder.bitcast(target, stored.as_pointer()), [arguments[2]])
        builder.store(numbers, place, align=context.get_abi_sizeof(kept))
        return context.get_dummy_value()

    return types.void(row, y, node), generate


def _data(context: Any, builder: Any, signature: Any, arguments: Any, place: int) -> Any:
    return make_array(signature.args[place])(context, builder, arguments[place]).data  # type: ignore[no-untyped-call]


def _all(value: int) -> Any:
    return ir.Constant(BITS, [value] * LANES)


# A caller names the arguments; the first parameter of each is numba's own.
row_sum: Any = _row_sum
store_row: Any = _store_row


@numba.njit(nogil=True, cache=True, fastmath=FAST)
def multiply_sums(
    offset: Offsets,
    neighbor: Nodes,
    loop: int,
    left: Vector,
    right: Vector,
    x: Stored,
    y: Stored,
    beta: Vector,
    base: Matrix,
    total: Matrix,
    inner: Matrix,
    whole: Matrix,
    start: int,
    stop: int,
) -> float:
    """Rows ``start`` to ``stop`` of Y = L Ã X' + β B, of T += β Y, and their share of ⟨Y, inner⟩, where X' = R X.

    What is stored in ``y`` is R Y, or Y itself in ``whole`` if there is one. B, T, ``inner`` and ``whole`` see Y before
    it is rounded; they are empty if there are none, and of their columns the first ``LANES`` are touched.
    """
    based, totalled, projects, kept = len(base) > 0, len(total) > 0, len(inner) > 0, len(whole) > 0
    row, scale, product = np.zeros(LANES, beta.dtype), beta[0], 0.0
    for i in range(start, stop):
        row_sum(x, neighbor, i if loop else -1, offset[i], offset[i + 1], row)
        for f in range(LANES):
            row[f] *= left[i]
        if based:
            for f in range(LANES):
                row[f] += scale * base[i, f]
        if totalled:
            for f in range(LANES):
                total[i, f] += scale * row[f]
        if projects:
            dot = beta.dtype.type(0)
            for f in range(LANES):
                dot += row[f] * inner[i, f]
            product += dot
        if kept:
            for f in range(LANES):
                whole[i, f] = row[f]
        else:
            for f in range(LANES):
                row[f] *= right[i]
            store_row(row, y, i)
    return product
