"""Words for code that is generated for vector registers."""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba.core import cgutils
from numba.np.arrayobj import make_array

INDEX = ir.IntType(32)


def array_of(context: Any, builder: Any, signature: Any, arguments: Any, place: int) -> Any:
    """The array that is the argument at that place: its data, strides and number of items."""
    return make_array(signature.args[place])(context, builder, arguments[place])  # type: ignore[no-untyped-call]


def spread(builder: Any, vector: Any, number: Any) -> Any:
    """A vector that has the number in every lane."""
    nothing = ir.Constant(vector, ir.Undefined)
    one = builder.insert_element(nothing, number, INDEX(0))
    return builder.shuffle_vector(one, nothing, ir.Constant(ir.VectorType(INDEX, vector.count), [0] * vector.count))


def lane_total(builder: Any, numbers: Any, flags: tuple[str, ...]) -> Any:
    """The sum of all lanes, by halves; their number is a power of two."""
    width = numbers.type.count
    while width > 1:
        width //= 2
        half = ir.VectorType(INDEX, width)
        places = (ir.Constant(half, list(range(start, start + width))) for start in (0, width))
        low, high = (builder.shuffle_vector(numbers, numbers, place) for place in places)
        numbers = builder.fadd(low, high, flags=flags)
    return builder.extract_element(numbers, INDEX(0))


def fetch(builder: Any, place: Any) -> None:
    """Ask for the cache line at a place that will be read soon; places that may not be read are ignored."""
    kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, INDEX, INDEX, INDEX])
    function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")  # type: ignore[no-untyped-call]
    builder.call(function, [builder.bitcast(place, cgutils.voidptr_t), INDEX(0), INDEX(3), INDEX(1)])
