"""The picture is well-formed whatever labels are, and its nodes do not overlap."""

from itertools import combinations
from xml.etree import ElementTree

import pytest
import torch

from hlgnn.graph import Graph, NodeIds
from hlgnn.interpret.explain_link import explain_link
from hlgnn.interpret.link_drawing import RADIUS, draw_link
from toy_links import EMBEDDING, FIRST, HEADS, SECOND, club, drawn_model

SVG = "{http://www.w3.org/2000/svg}"
HOSTILE = (
    "</text><script>alert(1)</script>",
    "\" onload='alert(1)'",
    "a & b <c>",
    "]]>",
    "\x00\x0b\x1f\ufffe bell \x07",
    "&#60;script&#62;",
    "名前" * 20,
    "\u202e\U0001f600",
)


def labelled() -> Graph:
    graph = club()
    labels = [f"{HOSTILE[node % len(HOSTILE)]} {node}" for node in range(34)]
    return Graph(graph.adjacency, NodeIds.from_labels(labels), graph.features)


@pytest.mark.parametrize("most", [0, 3, 12, 30])
def test_hostile_labels_are_text(most: int) -> None:
    graph = labelled()
    found = explain_link(drawn_model(graph, input=EMBEDDING, head=HEADS["dot"]), graph, FIRST, SECOND, changes=0)
    root = ElementTree.fromstring(draw_link(found, graph.node_ids, most=most))
    assert root.tag == f"{SVG}svg"
    assert {element.tag.removeprefix(SVG) for element in root.iter()} <= {"svg", "g", "title", "circle", "path", "text"}
    names = {name for element in root.iter() for name in element.attrib}
    assert not [name for name in names if name.startswith("on") or "href" in name]
    titles = [element.text or "" for element in root.iter(f"{SVG}title")]
    assert any("<script>" in title for title in titles) or most == 0
    assert 2 <= len(titles) <= most + 2


@pytest.mark.parametrize("pair", [(14, 2), (0, 33), (16, 25), (0, 1)])
def test_nodes_do_not_overlap_and_are_inside(pair: tuple[int, int]) -> None:
    graph = club()
    model = drawn_model(graph, input=EMBEDDING, head=HEADS["dot"])
    found = explain_link(model, graph, *pair, changes=0, witnesses=20, paths=20)
    root = ElementTree.fromstring(draw_link(found, graph.node_ids, most=25))
    _, _, width, height = (float(value) for value in root.attrib["viewBox"].split())
    places = [(float(each.attrib["cx"]), float(each.attrib["cy"])) for each in root.iter(f"{SVG}circle")]
    for (x1, y1), (x2, y2) in combinations(places, 2):
        assert (x1 - x2) ** 2 + (y1 - y2) ** 2 > (2 * RADIUS + 14) ** 2
    assert all(RADIUS <= x <= width - RADIUS and RADIUS <= y <= height - RADIUS - 14 for x, y in places)
    assert root.attrib["width"] == "100%"


def test_nodes_without_anything_between_them_are_drawn() -> None:
    graph = Graph.from_edges(3, torch.zeros(0, 2, dtype=torch.int64))
    found = explain_link(drawn_model(graph, input=EMBEDDING, head=HEADS["dot"]), graph, 0, 2)
    root = ElementTree.fromstring(draw_link(found, graph.node_ids))
    assert len(list(root.iter(f"{SVG}circle"))) == 2
    assert not list(root.iter(f"{SVG}path"))
