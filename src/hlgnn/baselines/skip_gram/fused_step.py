"""One gradient step of skip-gram with all of a row in vector registers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic

from hlgnn.formulation.kernels.registers import INDEX, array_of, lane_total, spread

if TYPE_CHECKING:
    import numpy.typing as npt

WIDTH = 128
"""The width of vectors that this is for: a row is eight registers of 512 bits."""

LINE = 64
"""Bytes that memory gives at once."""

SPAN, BINS = 8.0, 1024
FAST = ("contract", "reassoc", "nsz")
BY_HALVES = ("contract", "nsz")
"""Sums stay as they are written: reordered, a dot product would be one long chain of additions that wait in line."""

WORD, NUMBER = ir.IntType(64), ir.FloatType()
ROW = ir.VectorType(NUMBER, WIDTH)


def logistic_table() -> npt.NDArray[np.float32]:
    """σ at the middle of ``BINS`` parts of ±``SPAN``, as word2vec has it: off by 0.002 at most.  (BINS,)"""
    middle = (np.arange(BINS) + 0.5) * (2 * SPAN / BINS) - SPAN
    return np.asarray(1.0 / (1.0 + np.exp(-middle)), dtype=np.float32)


@intrinsic
def _fused_step(
    _context: Any, inputs: Any, node: Any, outputs: Any, targets: Any, count: Any, rate: Any, table: Any
) -> Any:
    """Inside compiled code: ``skip_gram.step`` for ``WIDTH`` columns, with the logistic function from a table.

    Args:
        inputs: What is kept.  (N, WIDTH)
        node: Whose row is moved.
        outputs: What is thrown away.  (N, WIDTH)
        targets: The node that belongs to it, and others that do not; a node that stands twice is moved twice.
        count: How many targets.
        rate: How far.
        table: From ``logistic_table``.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        def data(place: int) -> Any:
            return array_of(context, builder, signature, arguments, place).data

        rows, others = (builder.bitcast(data(place), ROW.as_pointer()) for place in (0, 2))
        place = builder.gep(rows, [builder.sext(arguments[1], WORD)])
        source = builder.load(place, align=4)
        error = cgutils.alloca_once_value(builder, ir.Constant(ROW, [0.0] * WIDTH))  # type: ignore[no-untyped-call]
        with cgutils.for_range(builder, arguments[4], intp=WORD) as loop:
            target = builder.gep(others, [builder.sext(builder.load(builder.gep(data(3), [loop.index])), WORD)])
            row = builder.load(target, align=4)
            product = lane_total(builder, builder.fmul(source, row, flags=BY_HALVES), BY_HALVES)
            expected = builder.load(builder.gep(data(6), [_bin(builder, product)]))
            first = builder.icmp_signed("==", loop.index, WORD(0))
            label = builder.select(first, ir.Constant(NUMBER, 1.0), ir.Constant(NUMBER, 0.0))
            pull = spread(builder, ROW, builder.fmul(arguments[5], builder.fsub(label, expected)))
            builder.store(builder.fadd(builder.load(error), builder.fmul(pull, row, flags=FAST), flags=FAST), error)
            builder.store(builder.fadd(row, builder.fmul(pull, source, flags=FAST), flags=FAST), target, align=4)
        builder.store(builder.fadd(source, builder.load(error), flags=FAST), place, align=4)
        return context.get_dummy_value()

    return types.void(inputs, node, outputs, targets, count, rate, table), generate


def _bin(builder: Any, product: Any) -> Any:
    """Where the table has the logistic function of a number."""
    stretched = builder.fmul(product, ir.Constant(NUMBER, BINS / (2 * SPAN)), flags=FAST)
    scaled = builder.fadd(stretched, ir.Constant(NUMBER, BINS / 2), flags=FAST)
    for limit, wrong in ((0.0, "<"), (BINS - 1.0, ">")):
        edge = ir.Constant(NUMBER, limit)
        scaled = builder.select(builder.fcmp_ordered(wrong, scaled, edge), edge, scaled)
    return builder.fptosi(scaled, WORD)


@intrinsic
def _fetch_rows(_context: Any, matrix: Any, rows: Any, count: Any) -> Any:
    """Inside compiled code: ask for rows of ``WIDTH`` columns before they are needed.

    Args:
        matrix: Numbers.  (N, WIDTH)
        rows: Which.
        count: How many of them.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        data, places = (array_of(context, builder, signature, arguments, place).data for place in (0, 1))
        start, byte = builder.bitcast(data, ROW.as_pointer()), ir.IntType(8).as_pointer()
        kind = ir.FunctionType(ir.VoidType(), [byte, INDEX, INDEX, INDEX])
        fetch = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")  # type: ignore[no-untyped-call]
        with cgutils.for_range(builder, arguments[2], intp=WORD) as loop:
            row = builder.gep(start, [builder.sext(builder.load(builder.gep(places, [loop.index])), WORD)])
            for line in range(0, WIDTH * 4, LINE):
                where = builder.gep(builder.bitcast(row, byte), [WORD(line)])
                builder.call(fetch, [where, INDEX(1), INDEX(3), INDEX(1)])
        return context.get_dummy_value()

    return types.void(matrix, rows, count), generate


# A caller names the seven arguments; the first parameter is numba's own.
fused_step: Any = _fused_step
fetch_rows: Any = _fetch_rows
