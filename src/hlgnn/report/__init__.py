"""A study as one page that opens anywhere and asks for nothing else."""

from hlgnn.report.render import render_report, write_report

__all__ = ["render_report", "write_report"]
