"""Reading pages of HTML in tests: their elements, and whether every one of them is closed."""

from __future__ import annotations

from html.parser import HTMLParser
from typing import NamedTuple
from xml.etree import ElementTree

VOID = {"meta"}


class Element(NamedTuple):
    tag: str
    attributes: dict[str, str | None]


class Page(HTMLParser):
    """The elements of a page in their order, and its words; fails on whatever is not closed in turn."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[Element] = []
        self.words = ""
        self.style = ""
        self.feed(page)
        self.close()
        assert self.open == [], f"never closed: {self.open}"

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert len(dict(attrs)) == len(attrs), f"twice the same attribute in {tag}"
        self.elements.append(Element(tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open, f"{tag} was never opened"
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] == "style":
            self.style += data
        else:
            self.words += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [each.attributes for each in self.elements if each.tag == tag]


def shapes(picture: str, kind: str) -> list[dict[str, float]]:
    """Numbers of the shapes of a chart that have all classes of ``kind``, in their order."""
    wanted = set(kind.split())
    found = [each for each in ElementTree.fromstring(picture).iter() if wanted <= set(each.get("class", "").split())]
    return [{name: float(value) for name, value in each.items() if _is_number(value)} for each in found]


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True
