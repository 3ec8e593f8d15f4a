"""Elements of HTML and SVG. Text is escaped here and nowhere else: only what ``element`` made is taken as it is."""

from __future__ import annotations

import html
import re

# XML 1.0 has no other characters, not even escaped; a lone surrogate cannot be written at all.
ILLEGAL = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
VOID = frozenset({"meta"})


class Markup(str):
    """Text that is markup already."""

    __slots__ = ()


def escape(content: str) -> Markup:
    """Text with nothing in it that markup would read; markup stays as it is.

    Example:
        >>> escape('<b title="x">')
        '&lt;b title=&quot;x&quot;&gt;'
    """
    if isinstance(content, Markup):
        return content
    return Markup(html.escape(ILLEGAL.sub("\ufffd", content), quote=True))


def join(*parts: str | None, between: str = "") -> Markup:
    """Parts behind one another, without those that are none."""
    return Markup(between.join(escape(part) for part in parts if part is not None))


def element(tag: str, *children: str | None, **attributes: object) -> Markup:
    """An element with its attributes and children.

    Args:
        tag: Its name.
        children: Text, which is escaped, or markup.
        attributes: By name, with ``_`` for ``-`` and one more ``_`` behind words of Python; those that are ``None``
            are left out, and those that are ``True`` have no value.

    Example:
        >>> element("p", "1 < 2", class_="note", aria_label=None)
        '<p class="note">1 &lt; 2</p>'
    """
    written = "".join(_attribute(name, value) for name, value in attributes.items() if value is not None)
    if tag in VOID:
        return Markup(f"<{tag}{written}>")
    return Markup(f"<{tag}{written}>{join(*children)}</{tag}>")


def _attribute(name: str, value: object) -> str:
    key = name.rstrip("_").replace("_", "-")
    if value is True:
        return f" {key}"
    content = f"{value:.2f}".rstrip("0").rstrip(".") if isinstance(value, float) else str(value)
    return f' {key}="{escape(content)}"'
