"""Settings that are checked when they are made, and their way to and from TOML."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import tomli_w
from pydantic import BaseModel, ConfigDict, ValidationError

from hlgnn.errors import MissingFileError, SettingsError

if TYPE_CHECKING:
    from pathlib import Path


class Settings(BaseModel):
    """Named values with ranges; unknown names and illegal values are refused, and nothing changes afterwards."""

    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)


Kind = TypeVar("Kind", bound=Settings)


def parse_settings(kind: type[Kind], values: dict[str, Any], *, where: str = "") -> Kind:
    """Settings of that kind from plain values.

    Args:
        kind: The type.
        values: The values by name.
        where: Where they come from, for messages; a group of settings with a dot at its end.

    Raises:
        SettingsError: If a name is unknown or a value illegal; the message names the field.

    Example:
        >>> class Walk(Settings):
        ...     depth: int = 3
        >>> parse_settings(Walk, {"dept": 4})
        Traceback (most recent call last):
        hlgnn.errors.SettingsError: dept: There is no such setting. Did you mean 'depth'?
    """
    try:
        return kind.model_validate(values)
    except ValidationError as error:
        raise _explained(kind, error, where) from None


def override(settings: Kind, assignments: list[str], *, where: str = "--set") -> Kind:
    """A copy in which every ``section.name=value`` holds; values are written as in TOML, text also without quotes.

    Example:
        >>> class Walk(Settings):
        ...     depth: int = 3
        >>> override(Walk(), ["depth=7"]).depth
        7
    """
    values = settings.model_dump()
    for assignment in assignments:
        path, sign, text = assignment.partition("=")
        if not sign:
            raise SettingsError(f"{assignment!r} sets nothing.", where=where, hint="Write it as name=value.")
        *sections, name = path.strip().split(".")
        place = values
        for section in sections:
            inner = place.get(section)
            if not isinstance(inner, dict):
                raise SettingsError(
                    "There is no such group of settings.", where=f"{where} {path}", hint=_nearest(section, place)
                )
            place = inner
        place[name] = toml_value(text.strip())
    return parse_settings(type(settings), values, where=where)


def merged(values: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Plain values in which those of the changes stand, section by section; neither of the two is changed.

    Example:
        >>> merged({"train": {"epochs": 5, "folds": 2}}, {"train": {"epochs": 9}})
        {'train': {'epochs': 9, 'folds': 2}}
    """
    found = dict(values)
    for name, change in changes.items():
        here = found.get(name)
        found[name] = merged(here, change) if isinstance(here, Mapping) and isinstance(change, Mapping) else change
    return found


def toml_value(text: str) -> Any:
    """A value as TOML reads it; what is no TOML is text."""
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except tomllib.TOMLDecodeError:
        return text


def write_toml(settings: Settings) -> str:
    """The settings as TOML; reading it back gives equal ones. What is ``None`` is left out."""
    return tomli_w.dumps(settings.model_dump(mode="json", exclude_none=True))


def read_toml(path: Path) -> dict[str, Any]:
    """The values of a TOML file.

    Raises:
        MissingFileError: If there is no such file.
        SettingsError: If it is no TOML; the message names the line.
    """
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise MissingFileError("There is no such file.", where=str(path)) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise SettingsError(f"It is no TOML: {error}.", where=str(path)) from None


def _explained(kind: type[Settings], error: ValidationError, where: str) -> SettingsError:
    """The first thing that pydantic found, in our words."""
    first = error.errors(include_url=False)[0]
    place = ".".join(str(part) for part in first["loc"])
    full = where + place if where.endswith(".") else " ".join(part for part in (where, place) if part)
    if first["type"] == "extra_forbidden":
        owner = _owner(kind, first["loc"][:-1])
        return SettingsError(
            "There is no such setting.", where=full, hint=_nearest(str(first["loc"][-1]), owner.model_fields)
        )
    advice = first["msg"].removeprefix("Value error, ").removesuffix(".")
    if first["type"] == "value_error" and isinstance(first["input"], dict | Settings):
        return SettingsError("These settings do not go together.", where=full, hint=f"{advice}.")
    names = re.findall("'([^']*)'", advice) if first["type"] == "literal_error" else []
    near = difflib.get_close_matches(str(first["input"]), names, n=1, cutoff=0.5)
    guess = f"Did you mean {near[0]!r}? " if near else ""
    return SettingsError(f"{first['input']!r} is not allowed here.", where=full, hint=f"{guess}{advice}.")


def _owner(kind: type[Settings], path: tuple[int | str, ...]) -> type[Settings]:
    for part in path:
        field = kind.model_fields.get(str(part))
        if field is None:
            return kind
        kinds = [field.annotation, *get_args(field.annotation)]
        inner = [each for each in kinds if isinstance(each, type) and issubclass(each, Settings)]
        kind = inner[0] if inner else kind
    return kind


def _nearest(name: str, names: Any) -> str:
    near = difflib.get_close_matches(name, list(names), n=1, cutoff=0.5)
    return f"Did you mean {near[0]!r}?" if near else f"All: {', '.join(names)}."
