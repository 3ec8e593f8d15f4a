"""A hint to the processor to fetch what will be read soon."""

from __future__ import annotations

from typing import Any

from numba import types
from numba.extending import intrinsic

from hlgnn.formulation.kernels.registers import array_of, fetch


@intrinsic
def _prefetch(_context: Any, array: Any, index: Any) -> Any:
    """Inside compiled code: bring ``array[index]``, of a contiguous array with one dimension, into the cache.

    It changes no result, and never fails: the processor ignores places that it may not read.
    """

    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        fetch(builder, builder.gep(array_of(context, builder, signature, arguments, 0).data, [arguments[1]]))
        return context.get_dummy_value()

    return types.void(array, index), generate


# A caller names the array and the index; the first argument is numba's own.
prefetch: Any = _prefetch
