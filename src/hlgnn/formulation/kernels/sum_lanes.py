"""Passes for operators A = L Ã R with diagonal L and R, over blocks of as many columns as ``LANES`` has.

What is stored of a layer X is R X: a row of A X is then a plain sum of rows, made in registers, times a number. Layers
are stored in the precision of the sums or in bfloat16, which has a relative error of up to 2^-9 and rows half as long;
to fetch rows from memory is what a product costs on a large graph. They are asked for long before they are summed: a
processor that waits for one looks ahead by a few rows only, and memory could have brought many more meanwhile.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba
import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from hlgnn.formulation.kernels.numba_rows import FAST
from hlgnn.formulation.kernels.registers import array_of, fetch, lane_total, spread
from hlgnn.formulation.kernels.room import CACHE_LINE

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy.typing as npt

    from hlgnn.formulation.kernels.numba_rows import Matrix, Nodes, Offsets, Vector

    Stored = npt.NDArray[Any]  # single or double precision, or bfloat16 as uint16

LANES = (64, 32, 16)
"""How many columns a block may have, the widest first."""
WIDEST = {8: 16, 4: 32, 2: 64}
"""How many it has at most, by the bytes of a stored number: rows of two cache lines (decisions 0033 and 0041)."""
AHEAD = 12_288
"""Bytes of rows that are under way from memory while one is summed (decision 0041)."""
WORD, INTEGER = ir.IntType(64), ir.IntType(32)


@intrinsic(prefer_literal=True)
def _row_sum(
    _context: Any, x: Any, neighbor: Any, own: Any, first: Any, last: Any, end: Any, to: Any, lanes: Any
) -> Any:
    """Inside compiled code: the sum of rows of x over neighbours in [first, last), and over ``own`` unless negative.

    Args:
        x: Rows of ``lanes`` stored numbers, contiguous.
        neighbor: Whose rows are summed.
        own: A node that is summed too, or -1.
        first: Where the neighbours begin.
        last: Where they end.
        end: Where the neighbours of the last row end that will be asked for: rows up to there are fetched ahead.
        to: Takes the sum.  (lanes,)
        lanes: How many columns there are, known when it is compiled.
    """
    count = lanes.literal_value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        rows, nodes, out = (array_of(context, builder, signature, arguments, place).data for place in (0, 1, 6))
        kept, summed = (context.get_value_type(signature.args[place].dtype) for place in (0, 6))
        vector, stored = ir.VectorType(summed, count), ir.VectorType(kept, count)
        size = count * context.get_abi_sizeof(kept)
        rows = builder.bitcast(rows, stored.as_pointer())
        total = cgutils.alloca_once_value(builder, ir.Constant(vector, [0.0] * count))  # type: ignore[no-untyped-call]

        def add(node: Any) -> None:
            row = builder.load(builder.gep(rows, [node]), align=context.get_abi_sizeof(kept))
            if kept != summed:  # bfloat16 is the upper half of single precision
                bits = builder.zext(row, ir.VectorType(INTEGER, count))
                row = builder.bitcast(builder.shl(bits, _all(16, bits)), vector)
            builder.store(builder.fadd(builder.load(total), row, flags=tuple(FAST)), total)

        def node_at(place: Any) -> Any:
            return builder.sext(builder.load(builder.gep(nodes, [place])), WORD)

        def fetch_ahead(place: Any) -> None:
            later = builder.add(place, WORD(AHEAD // size))
            known = builder.icmp_signed("<", later, arguments[5])
            row = builder.bitcast(builder.gep(rows, [node_at(builder.select(known, later, place))]), cgutils.voidptr_t)
            for line in range(0, size, CACHE_LINE):
                fetch(builder, builder.gep(row, [WORD(line)]))

        with builder.if_then(builder.icmp_signed(">=", arguments[2], WORD(0))):
            add(arguments[2])
        with cgutils.for_range(builder, arguments[4], start=arguments[3], intp=WORD) as loop:
            fetch_ahead(loop.index)
            add(node_at(loop.index))
        place = builder.bitcast(out, vector.as_pointer())
        builder.store(builder.load(total), place, align=context.get_abi_sizeof(summed))
        return context.get_dummy_value()

    return types.void(x, neighbor, own, first, last, end, to, lanes), generate


@intrinsic(prefer_literal=True)
def _finish_row(
    _context: Any,
    row: Any,
    i: Any,
    left: Any,
    right: Any,
    scale: Any,
    base: Any,
    total: Any,
    inner: Any,
    whole: Any,
    y: Any,
    lanes: Any,
) -> Any:
    """Inside compiled code: from the sum of a row to what is kept of it, in registers; ⟨row, inner⟩.

    The row becomes left · row + scale · base_i; then total_i += scale · row, and whole_i = row, or y_i = right · row,
    rounded to the nearest if y is in bfloat16. Matrices without rows are left out. The number of columns, ``lanes``, is
    known when it is compiled.
    """
    count = lanes.literal_value

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        made, kept = (context.get_value_type(signature.args[place].dtype) for place in (0, 9))
        vector, stored = ir.VectorType(made, count), ir.VectorType(kept, count)
        size, node = context.get_abi_sizeof(made), arguments[1]

        def times(numbers: Any, factor: Any) -> Any:
            return builder.fmul(numbers, spread(builder, vector, factor), flags=tuple(FAST))

        def add(numbers: Any, others: Any) -> Any:
            return builder.fadd(numbers, others, flags=tuple(FAST))

        def matrix(place: int) -> Any:
            return array_of(context, builder, signature, arguments, place)

        def there(place: int) -> Any:
            return builder.icmp_signed(">", matrix(place).nitems, WORD(0))

        def at(place: int, kind: Any) -> Any:
            found = matrix(place)
            start = builder.mul(node, builder.extract_value(found.strides, 0))
            begin = builder.gep(builder.bitcast(found.data, cgutils.voidptr_t), [start])
            return builder.bitcast(begin, kind.as_pointer())

        first = builder.load(builder.bitcast(matrix(0).data, vector.as_pointer()), align=size)
        numbers = cgutils.alloca_once_value(builder, times(first, arguments[2]))  # type: ignore[no-untyped-call]
        product = cgutils.alloca_once_value(builder, ir.Constant(made, 0.0))  # type: ignore[no-untyped-call]
        with builder.if_then(there(5)):
            based = times(builder.load(at(5, vector), align=size), arguments[4])
            builder.store(add(builder.load(numbers), based), numbers)
        with builder.if_then(there(6)):
            before = builder.load(at(6, vector), align=size)
            builder.store(add(before, times(builder.load(numbers), arguments[4])), at(6, vector), align=size)
        with builder.if_then(there(7)):
            beside = builder.load(at(7, vector), align=size)
            terms = builder.fmul(builder.load(numbers), beside, flags=tuple(FAST))
            builder.store(lane_total(builder, terms, tuple(FAST)), product)
        with builder.if_else(there(8)) as (then, otherwise):
            with then:
                builder.store(builder.load(numbers), at(8, vector), align=size)
            with otherwise:
                scaled = times(builder.load(numbers), arguments[3])
                narrowed = scaled if kept == made else _narrowed(builder, scaled, stored)
                builder.store(narrowed, at(9, stored), align=context.get_abi_sizeof(kept))
        return builder.load(product)

    number = row.dtype
    return number(row, i, left, right, scale, base, total, inner, whole, y, lanes), generate


def _narrowed(builder: Any, numbers: Any, stored: Any) -> Any:
    """Single precision as bfloat16, rounded to the nearest, ties to even."""
    bits = builder.bitcast(numbers, ir.VectorType(INTEGER, stored.count))
    odd = builder.and_(builder.lshr(bits, _all(16, bits)), _all(1, bits))
    rounded = builder.add(builder.add(bits, _all(0x7FFF, bits)), odd)
    return builder.trunc(builder.lshr(rounded, _all(16, bits)), stored)


def _all(value: int, bits: Any) -> Any:
    return ir.Constant(bits.type, [value] * bits.type.count)


# A caller names the arguments; the first parameter of each is numba's own.
row_sum: Any = _row_sum
finish_row: Any = _finish_row


def _passes(lanes: int) -> Callable[..., float]:
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

        What is stored in ``y`` is R Y, or Y itself in ``whole`` if there is one. B, T, ``inner`` and ``whole`` see Y
        before it is rounded; they are empty if there are none, and of their columns the first ``lanes`` are touched.
        """
        row, product, end = np.zeros(lanes, beta.dtype), 0.0, offset[stop]
        for i in range(start, stop):
            row_sum(x, neighbor, i if loop else -1, offset[i], offset[i + 1], end, row, lanes)
            product += finish_row(row, i, left[i], right[i], beta[0], base, total, inner, whole, y, lanes)
        return product

    compiled: Callable[..., float] = multiply_sums
    return compiled


MULTIPLY_SUMS = {lanes: _passes(lanes) for lanes in LANES}
"""A pass for each number of columns; compiled at its first call."""
