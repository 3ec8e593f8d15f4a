"""The sections of the report, in their order; each makes its part of the page from the document, or nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.report.sections.asked import asked
from hlgnn.report.sections.calibration import calibration
from hlgnn.report.sections.curve import curve
from hlgnn.report.sections.data import data
from hlgnn.report.sections.evidence import evidence
from hlgnn.report.sections.gate import gate
from hlgnn.report.sections.heading import heading
from hlgnn.report.sections.learned import learned
from hlgnn.report.sections.links import links
from hlgnn.report.sections.methods import methods
from hlgnn.report.sections.protocol import protocol
from hlgnn.report.sections.settings import reproduce, settings, versions

if TYPE_CHECKING:
    from collections.abc import Callable

    from hlgnn.report.markup import Markup
    from hlgnn.report.values import Document

SECTIONS: tuple[Callable[[Document], Markup | None], ...] = (
    asked,
    data,
    protocol,
    methods,
    gate,
    calibration,
    learned,
    links,
    evidence,
    curve,
    settings,
    versions,
    reproduce,
)

__all__ = ["SECTIONS", "heading"]
