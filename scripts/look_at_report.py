"""Take pictures of a report as a phone and a desk would show it, in light and dark, and measure what may go wrong.

Pictures go to FOLDER. A line on the screen says for each width how far the page is wider than the window, and how small
its smallest letters in charts are. The exit code is 1 if the page scrolls sideways, if letters are smaller than 11
pixels, or if the browser complains.

Example:
    python scripts/look_at_report.py report.html --out pictures
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

BROWSER = "/usr/bin/chromium"
WIDTHS = (390, 1280)
SCHEMES = {"dark": 0, "light": 1}  # as Blink numbers them
SMALLEST = 11.0
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--hide-scrollbars",
    "--disable-background-networking",
    "--no-first-run",
    "--enable-logging=stderr",
)
COMPLAINT = re.compile(r".*:CONSOLE.*")
POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy"[^>]*>')
# Windows of a browser have a least width, frames have none: the page is measured and shown in a frame.
MEASURE = """<script>addEventListener("load", () => {
  const page = document.documentElement;
  const sizes = [...document.querySelectorAll("svg text")].filter(t => t.getClientRects().length).map(
    t => parseFloat(getComputedStyle(t).fontSize) * Math.hypot(t.getScreenCTM().a, t.getScreenCTM().b));
  parent.postMessage({wide: page.scrollWidth - innerWidth, height: page.scrollHeight,
    smallest: sizes.length ? Math.min(...sizes) : null}, "*");
});</script>"""
FRAME = """<!DOCTYPE html><meta charset="utf-8"><style>html,body{{margin:0}}iframe{{border:0;display:block;
width:{width}px;height:{height}px}}</style><script>addEventListener("message", e => {{
document.body.dataset.found = JSON.stringify(e.data)}})</script><body><iframe src="{source}"></iframe></body>"""


def main() -> int:
    """Measure, then take the pictures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--browser", default=BROWSER)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    wrong = False
    with tempfile.TemporaryDirectory() as folder:
        look = Look(arguments.browser, Path(folder))
        for width in WIDTHS:
            found = look.measure(arguments.path, width)
            print(
                f"{width} px: {found['wide']} px too wide, smallest letters {found['smallest']}, {found['height']} high"
            )
            wrong |= found["wide"] > 0 or (found["smallest"] or SMALLEST) < SMALLEST
            for scheme in SCHEMES:
                target = arguments.out / f"report-{width}-{scheme}.png"
                complaints = look.picture(arguments.path, width, found["height"], scheme, target)
                print(target, *complaints, sep="\n  ")
                wrong |= bool(complaints)
    return int(wrong)


class Look:
    """A browser with a folder of its own."""

    def __init__(self, browser: str, folder: Path) -> None:
        self.browser, self.folder = browser, folder

    def measure(self, path: Path, width: int) -> dict[str, Any]:
        """How far the page is wider than its frame, how high it is, and its smallest letters in pixels."""
        copy = self.folder / "measured.html"
        page = POLICY.sub("", path.read_text(encoding="utf-8"), count=1)
        copy.write_text(page.replace("</head>", MEASURE + "</head>", 1), encoding="utf-8")
        frame = self._frame(copy, width, 900)
        output = self._run(frame, "--dump-dom", "--virtual-time-budget=3000").stdout
        found = re.search(r'data-found="([^"]*)"', output)
        if found is None:
            sys.exit("The browser measured nothing.")
        measured: dict[str, Any] = json.loads(found[1].replace("&quot;", '"'))
        return measured

    def picture(self, path: Path, width: int, height: int, scheme: str, target: Path) -> list[str]:
        """Take the picture of the whole page; what the browser complains about."""
        frame = self._frame(path.resolve(), width, height)
        run = self._run(
            frame,
            f"--screenshot={target.resolve()}",
            f"--window-size={max(width, 500)},{height}",
            f"--blink-settings=preferredColorScheme={SCHEMES[scheme]}",
        )
        return COMPLAINT.findall(run.stderr)

    def _frame(self, source: Path, width: int, height: int) -> str:
        frame = self.folder / "frame.html"
        frame.write_text(FRAME.format(source=source.as_uri(), width=width, height=height), encoding="utf-8")
        return frame.as_uri()

    def _run(self, address: str, *flags: str) -> subprocess.CompletedProcess[str]:
        profile = f"--user-data-dir={self.folder / 'profile'}"
        command = [self.browser, *FLAGS, profile, *flags, address]
        return subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)


if __name__ == "__main__":
    sys.exit(main())
