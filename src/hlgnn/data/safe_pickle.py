"""Pickles of the official files, read without running anything that they bring along.

A pickle may name any function of any module and have it called. The unpickler here knows the few names that the
official files need and refuses all others before anything is called. What it hands out are stand-ins, which only note
down the parts of an array; the arrays themselves, of numbers or text and never of objects, are made at the end.
"""

from __future__ import annotations

import functools
import io
import pickle
import zipfile
from collections import defaultdict
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array

from hlgnn.errors import DatasetError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PLAIN_KINDS = "biufSU"
TORCH_MAGIC = 0x1950A86A20F9469CFC6C
ZIP_START = b"PK\x03\x04"


def read_pickle(source: Path | bytes, *, encoding: str = "ASCII") -> Any:
    """What a pickle holds; a sparse matrix becomes a ``csr_array`` of float32.

    Args:
        source: The file, or its content.
        encoding: How text of Python 2 is decoded; numpy arrays of that time need ``latin1``.

    Raises:
        DatasetError: If the pickle is damaged, or names anything but arrays, sparse rows and plain containers.
    """
    if isinstance(source, bytes):
        return _load(io.BytesIO(source), "pickle", encoding)
    with source.open("rb") as file:
        return _load(file, str(source), encoding)


def read_torch_pickle(path: Path) -> Any:
    """What ``torch.save`` wrote, if it holds no tensors: OGB's splits are dictionaries of numpy arrays.

    Raises:
        DatasetError: If the file is damaged, or names anything but arrays and plain containers.
    """
    with path.open("rb") as file:
        start = file.read(len(ZIP_START))
        file.seek(0)
        return _read_zipped(file, path) if start == ZIP_START else _read_legacy(file, path)


def _read_legacy(file: IO[bytes], path: Path) -> Any:
    """Five pickles in a row: magic number, protocol, facts on the system, the object, keys of tensors."""
    magic, _, _ = (_load(file, str(path)) for _ in range(3))
    if magic != TORCH_MAGIC:
        raise DatasetError("It is no file of torch.save.", where=str(path))
    content = _load(file, str(path))
    if _load(file, str(path)):
        raise DatasetError("It holds torch tensors; official splits hold numpy arrays.", where=str(path))
    return content


def _read_zipped(file: IO[bytes], path: Path) -> Any:
    """The format of torch 1.6 and later: an archive whose member ``…/data.pkl`` is the object."""
    try:
        with zipfile.ZipFile(file) as archive:
            name = next((name for name in archive.namelist() if name.endswith("/data.pkl")), None)
            if name is None:
                raise DatasetError("It is an archive, but not one of torch.save.", where=str(path))
            with archive.open(name) as member:
                return _load(member, str(path))
    except zipfile.BadZipFile as error:
        raise DatasetError(f"The archive is damaged ({error}).", where=str(path)) from error


def _load(file: IO[bytes], where: str, encoding: str = "ASCII") -> Any:
    try:
        return _finished(_SafeUnpickler(file, encoding=encoding).load())
    except DatasetError as error:
        raise DatasetError(error.what, where=where, hint=error.hint) from None
    except (OSError, zipfile.BadZipFile):
        raise
    except Exception as error:  # a damaged pickle can fail in any way that Python knows
        raise DatasetError(f"The pickle is damaged ({type(error).__name__}: {error}).", where=where) from error


class _SafeUnpickler(pickle.Unpickler):
    def find_class(self, module: str, name: str) -> Any:
        admitted = _ADMITTED.get(f"{module}.{name}")
        if admitted is None:
            raise DatasetError(
                f"The pickle asks for {module}.{name}, which no official file needs; it was refused.",
                hint="Do not use this file: get the official one.",
            )
        return admitted()


class _Dtype:
    """Takes the place of numpy's ``dtype``; ``align`` and ``copy`` say nothing about plain kinds."""

    def __init__(self, code: str, align: object = None, copy: object = None) -> None:
        del align, copy
        self.dtype = np.dtype(code)
        if self.dtype.kind not in PLAIN_KINDS:
            raise DatasetError(f"The pickle holds an array of {code!r}, which no official file needs; it was refused.")

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.dtype = self.dtype.newbyteorder(state[1])


class _Array:
    """Takes the place of a numpy array; what ``_reconstruct`` is given is the same for all arrays."""

    def __init__(self, *_: object) -> None:
        self.shape: tuple[int, ...] = (0,)
        self.dtype = np.dtype(np.float64)
        self.column_major = False
        self.raw = b""

    def __setstate__(self, state: tuple[Any, ...]) -> None:
        self.shape, dtype, self.column_major, raw = state[-4:]  # a version number may stand before
        self.dtype = dtype.dtype
        self.raw = _as_bytes(raw)

    def finished(self) -> np.ndarray[Any, Any]:
        flat = np.frombuffer(self.raw, self.dtype)
        return flat.reshape(self.shape, order="F" if self.column_major else "C")


class _SparseRows:
    """Takes the place of scipy's ``csr_matrix``, whose attributes a pickle sets one by one."""

    def finished(self) -> csr_array:
        parts = {name: _finished(part) for name, part in vars(self).items()}
        data = parts["data"].astype(np.float32)
        rows = csr_array((data, parts["indices"].copy(), parts["indptr"].copy()), shape=parts["_shape"])
        rows.check_format(full_check=True)
        return rows


def _finished(content: Any) -> Any:
    """The same content with arrays in the places of their stand-ins."""
    if isinstance(content, (_Array, _SparseRows)):
        return content.finished()
    if isinstance(content, dict):
        return {key: _finished(value) for key, value in content.items()}
    if isinstance(content, (list, tuple)):
        return type(content)(_finished(value) for value in content)
    return content


def _scalar(dtype: _Dtype, content: bytes | str) -> Any:
    return np.frombuffer(_as_bytes(content), dtype.dtype)[0]


def _encode(text: str, encoding: str = "latin1") -> bytes:
    """How protocol 2 spells bytes."""
    if encoding not in ("latin1", "latin-1"):
        raise DatasetError(f"The pickle asks for the codec {encoding!r}; it was refused.")
    return text.encode("latin1")


def _no_bytes() -> bytes:
    """How protocol 2 spells bytes when there are none."""
    return b""


def _as_bytes(content: bytes | str) -> bytes:
    """Bytes of Python 2 were decoded as text."""
    return content.encode("latin1") if isinstance(content, str) else content


def _fresh(function: Callable[..., Any]) -> Callable[[], Any]:
    """A new partial each time: a pickle may set attributes on what it is given, and must not change it for others."""
    return lambda: functools.partial(function)


def _fresh_rows() -> type:
    return type("csr_matrix", (_SparseRows,), {})


# Each entry makes what the pickle gets to see under that name.
_ADMITTED: dict[str, Callable[[], Any]] = {
    "numpy.dtype": _fresh(_Dtype),
    "numpy.ndarray": lambda: "numpy.ndarray",  # only ever an argument of _reconstruct
    "numpy.core.multiarray._reconstruct": _fresh(_Array),
    "numpy._core.multiarray._reconstruct": _fresh(_Array),
    "numpy.core.multiarray.scalar": _fresh(_scalar),
    "numpy._core.multiarray.scalar": _fresh(_scalar),
    "scipy.sparse.csr.csr_matrix": _fresh_rows,
    "scipy.sparse._csr.csr_matrix": _fresh_rows,
    "collections.defaultdict": lambda: defaultdict,
    "__builtin__.list": lambda: list,
    "builtins.list": lambda: list,
    "_codecs.encode": _fresh(_encode),
    "__builtin__.bytes": _fresh(_no_bytes),
}
