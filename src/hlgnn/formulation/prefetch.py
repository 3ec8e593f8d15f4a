"""A hint to the processor to fetch what will be read soon."""

from __future__ import annotations

from typing import Any

from llvmlite import ir  # type: ignore[import-untyped]
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array


@intrinsic
def _prefetch(_context: Any, array: Any, index: Any) -> Any:
    """Inside compiled code: bring ``array[index]``, of a contiguous array with one dimension, into the cache.

    It changes no result, and never fails: the processor ignores places that it may not read.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        view = make_array(signature.args[0])(context, builder, arguments[0])  # type: ignore[no-untyped-call]
        place = builder.bitcast(builder.gep(view.data, [arguments[1]]), cgutils.voidptr_t)
        number = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, number, number, number])
        function = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")  # type: ignore[no-untyped-call]
        builder.call(function, [place, number(0), number(3), number(1)])  # to be read, often, data
        return context.get_dummy_value()

    return types.void(array, index), generate


# A caller names the array and the index; the first argument is numba's own.
prefetch: Any = _prefetch
