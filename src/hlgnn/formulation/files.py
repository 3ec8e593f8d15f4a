"""Formulations of one's own, as TOML files that people can write."""

from __future__ import annotations

import difflib
import math
import tomllib
from typing import TYPE_CHECKING, Any, get_args

from hlgnn.atomic import atomic_path
from hlgnn.errors import MissingFileError, SettingsError
from hlgnn.formulation.formulation import Formulation, Order
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM, Operator

if TYPE_CHECKING:
    from collections.abc import Collection
    from pathlib import Path

MATRICES = {"adj": ADJ, "sym": SYM, "row": ROW, "col": COL}
KEYS = ("name", "order", "self_loops", "degree_scale", "betas", "operators", "repeat", "tilts")


def load_formulation(path: Path) -> Formulation:
    r"""Read a formulation from a TOML file.

    ``betas`` lists β_0 … β_L. ``operators`` lists A_1 … A_L, each "adj", "sym", "row", "col" or a mixture such as
    ``{adj = 0.1, row = 0.9}``; instead of it, ``repeat`` names one operator for all. ``name`` is that of the file
    unless it is given; ``order``, ``self_loops``, ``degree_scale`` and ``tilts`` are optional as well.

    Raises:
        MissingFileError: If there is no such file.
        SettingsError: If it is not a formulation; it names the file and the key.

    Example:
        >>> from pathlib import Path
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     file = Path(folder) / "walks.toml"
        ...     _ = file.write_text('betas = [0, 0.5, 0.25]\nrepeat = "row"\n')
        ...     load_formulation(file).formula()
        'H = 0.5 Ã_rs + 0.25 Ã_rs²'
    """
    table = _read(path)
    for key in table:
        _check_name(key, KEYS, "key", where=f"{path}, {key}")
    betas = _betas(table, path)
    return Formulation(
        name=_text(table.get("name", path.stem), where=f"{path}, name"),
        operators=_operators(table, len(betas) - 1, path),
        betas=betas,
        order=_order(table.get("order", "reading"), where=f"{path}, order"),
        degree_scale=_switch(table.get("degree_scale", False), where=f"{path}, degree_scale"),
        self_loops=_switch(table.get("self_loops", True), where=f"{path}, self_loops"),
        tilts=_tilts(table["tilts"], len(betas) - 1, path) if "tilts" in table else (),
    )


def save_formulation(formulation: Formulation, path: Path) -> None:
    """Write a formulation so that ``load_formulation`` gives the same one.

    Raises:
        SettingsError: If a weight is infinite or no number.
        OutputError: If the file cannot be written.
    """
    numbers = [
        *formulation.betas,
        *formulation.tilts,
        *(weight for operator in formulation.operators for weight in operator),
    ]
    if not all(math.isfinite(number) for number in numbers):
        raise SettingsError("A weight is infinite or no number.", where=f"formulation {formulation.name!r}")
    written = [_write_operator(operator) for operator in formulation.operators]
    same = len(set(written)) == 1
    lines = [
        f"name = {_write_text(formulation.name)}",
        f'order = "{formulation.order}"',
        f"self_loops = {str(formulation.self_loops).lower()}",
        f"degree_scale = {str(formulation.degree_scale).lower()}",
        f"betas = [{', '.join(repr(float(beta)) for beta in formulation.betas)}]",
        f"repeat = {written[0]}" if same else f"operators = [{', '.join(written)}]",
    ]
    if formulation.tilts:
        lines.append(f"tilts = [{', '.join(repr(float(tilt)) for tilt in formulation.tilts)}]")
    with atomic_path(path) as temporary:
        temporary.write_text("\n".join(lines) + "\n", encoding="utf-8")


def _read(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8"))
    except FileNotFoundError as error:
        raise MissingFileError("There is no such file.", where=str(path)) from error
    except OSError as error:
        raise SettingsError(f"It could not be read ({error.strerror or error}).", where=str(path)) from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"It is not TOML: {error}.", where=str(path)) from error


def _betas(table: dict[str, Any], path: Path) -> tuple[float, ...]:
    where = f"{path}, betas"
    if not isinstance(table.get("betas"), list) or not table["betas"]:
        raise SettingsError("A list of weights β_0 … β_L is needed.", where=where, hint="Write betas = [0.5, 0.5].")
    return tuple(_number(beta, where=f"{where}[{index}]") for index, beta in enumerate(table["betas"]))


def _tilts(entries: object, depth: int, path: Path) -> tuple[float, ...]:
    where = f"{path}, tilts"
    if not isinstance(entries, list) or len(entries) != depth:
        raise SettingsError(f"A list of {depth} tilts is needed, one for each operator.", where=where)
    return tuple(_number(tilt, where=f"{where}[{index}]") for index, tilt in enumerate(entries))


def _operators(table: dict[str, Any], depth: int, path: Path) -> tuple[Operator, ...]:
    if ("operators" in table) == ("repeat" in table):
        raise SettingsError(
            "Either operators or repeat is needed, and not both.",
            where=f"{path}, operators",
            hint='List A_1 … A_L as operators = ["row", "sym"], or name one for all as repeat = "sym".',
        )
    if "repeat" in table:
        return (_operator(table["repeat"], where=f"{path}, repeat"),) * depth
    where, entries = f"{path}, operators", table["operators"]
    if not isinstance(entries, list):
        raise SettingsError("A list of operators is needed.", where=where, hint='Write operators = ["row", "sym"].')
    if len(entries) != depth:
        raise SettingsError(
            f"There are {depth + 1} betas and {len(entries)} operators.",
            where=where,
            hint="There is one beta more than operators: β_0 belongs to the identity.",
        )
    return tuple(_operator(entry, where=f"{where}[{index}]") for index, entry in enumerate(entries))


def _operator(entry: object, *, where: str) -> Operator:
    """One matrix by its name, or a mixture."""
    if isinstance(entry, str):
        _check_name(entry, MATRICES, "operator", where=where)
        return MATRICES[entry]
    if not isinstance(entry, dict):
        raise SettingsError(
            f"{entry!r} is no operator.", where=where, hint='Write "sym", or a mixture as {adj = 0.1, row = 0.9}.'
        )
    for name in entry:
        _check_name(name, MATRICES, "operator", where=f"{where}.{name}")
    return Operator(**{name: _number(weight, where=f"{where}.{name}") for name, weight in entry.items()})


def _order(entry: object, *, where: str) -> Order:
    _check_name(_text(entry, where=where), get_args(Order), "order", where=where)
    return "recurrence" if entry == "recurrence" else "reading"


def _check_name(name: str, names: Collection[str], kind: str, *, where: str) -> None:
    if name not in names:
        near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
        guess = f"Did you mean {near[0]!r}? " if near else ""
        raise SettingsError(
            f"There is no {kind} called {name!r}.", where=where, hint=f"{guess}All: {', '.join(names)}."
        )


def _number(entry: object, *, where: str) -> float:
    if isinstance(entry, bool) or not isinstance(entry, int | float) or not math.isfinite(entry):
        raise SettingsError(f"{entry!r} is no finite number.", where=where)
    return float(entry)


def _text(entry: object, *, where: str) -> str:
    if not isinstance(entry, str):
        raise SettingsError(f"{entry!r} is no text.", where=where, hint="Put it into quotation marks.")
    return entry


def _switch(entry: object, *, where: str) -> bool:
    if not isinstance(entry, bool):
        raise SettingsError(f"{entry!r} is neither true nor false.", where=where)
    return entry


def _write_operator(operator: Operator) -> str:
    for name, matrix in MATRICES.items():
        if operator == matrix:
            return f'"{name}"'
    weights = ((name, weight) for name, weight in operator._asdict().items() if weight != 0)
    return f"{{{', '.join(f'{name} = {float(weight)!r}' for name, weight in weights)}}}"


def _write_text(text: str) -> str:
    """A TOML string: quotation marks, backslashes and control characters are escaped."""
    escaped = {ord('"'): '\\"', ord("\\"): "\\\\"} | {code: f"\\u{code:04x}" for code in (*range(0x20), 0x7F)}
    return f'"{text.translate(escaped)}"'
