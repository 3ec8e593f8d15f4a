"""A method in a package of its own is found by its entry point, keeps the contract, and can be trained."""

import re
import sys
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

from hlgnn import catalog
from hlgnn.catalog import ENTRY_POINTS, ModelRegistry
from hlgnn.errors import PluginError
from hlgnn.testing import check_link_model

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "examples/hlgnn-degree-product"
NAME = "hlgnn_degree_product"


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The package as pip would leave it: on the path, with the entry point that its project file names."""
    monkeypatch.syspath_prepend(str(PACKAGE / "src"))
    text = (PACKAGE / "pyproject.toml").read_text(encoding="utf-8")
    points = re.findall(r'entry-points\."hlgnn.models"\]\n(\S+) = "(\S+)"', text)
    offer(monkeypatch, [EntryPoint(name, value, ENTRY_POINTS) for name, value in points])


def offer(monkeypatch: pytest.MonkeyPatch, points: list[EntryPoint]) -> None:
    monkeypatch.setattr(catalog, "entry_points", lambda group: [each for each in points if each.group == group])


@pytest.mark.usefixtures("installed")
def test_it_is_found_and_keeps_the_contract() -> None:
    models = ModelRegistry(catalog.MODELS._own.values())
    card = models["degree-product"]
    assert card.title == "Weighted degrees"
    assert "hlgnn" in models
    check_link_model(card)


def test_the_page_and_the_package_say_the_same() -> None:
    page = (ROOT / "docs/howto/add-a-baseline.md").read_text(encoding="utf-8")
    code = (PACKAGE / "src" / NAME / "__init__.py").read_text(encoding="utf-8")
    assert code in page
    project = (PACKAGE / "pyproject.toml").read_text(encoding="utf-8")
    assert 'degree-product = "hlgnn_degree_product:CARD"' in project


def test_a_package_that_breaks_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    offer(monkeypatch, [EntryPoint("theirs", "no_such_package_anywhere:CARD", ENTRY_POINTS)])
    with pytest.raises(PluginError, match="theirs"):
        ModelRegistry([])["theirs"]
    offer(monkeypatch, [EntryPoint("theirs", "math:pi", ENTRY_POINTS)])
    with pytest.raises(PluginError, match="no ModelCard"):
        ModelRegistry([])["theirs"]


def test_it_does_not_take_the_place_of_ours(monkeypatch: pytest.MonkeyPatch) -> None:
    module = type(sys)("their_copy")
    module.CARD = catalog.MODELS["mf"].__class__("cn", "Theirs", catalog.MODELS["mf"].settings, print, "they")  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "their_copy", module)
    offer(monkeypatch, [EntryPoint("cn", "their_copy:CARD", ENTRY_POINTS)])
    assert ModelRegistry(catalog.MODELS._own.values())["cn"].title == "Common neighbours"
