"""Letters that LaTeX would read as commands, or does not know, as it takes them without further packages."""

from __future__ import annotations

import re
import unicodedata

from hlgnn.experiments.renderings.signs import one_line

SPECIAL = {
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "\\": r"\textbackslash{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # behind the end of a row it would be an option, and a star too
    "]": "{]}",
    "*": "{*}",
    "`": "{`}",
    "'": "{'}",
    '"': r"\char34{}",
}
WORDS = {
    "–": "--",
    "—": "---",
    "…": r"\dots{}",
    "‘": "`",
    "’": "'",
    "“": "``",
    "”": "''",
    "\u00a0": "~",
    "\u2009": r"\,",
    "\u202f": r"\,",
    "−": "$-$",
    "·": r"$\cdot$",
    "°": r"$^{\circ}$",
}
SYMBOLS = {
    "±": "pm",
    "×": "times",
    "≤": "leq",
    "≥": "geq",
    "≠": "neq",
    "≈": "approx",
    "∞": "infty",
    "∈": "in",
    "∑": "sum",
    "√": "surd",
    "→": "to",
    "←": "leftarrow",
    "↑": "uparrow",
    "↓": "downarrow",
    "▲": "uparrow",
    "▼": "downarrow",
    "★": "star",
    "∩": "cap",
    "∪": "cup",
    "†": "dagger",
    "⊙": "odot",
    "∘": "circ",
    "ℓ": "ell",
    "µ": "mu",
}
CAPITALS = frozenset({"gamma", "delta", "theta", "lambda", "xi", "pi", "sigma", "upsilon", "phi", "psi", "omega"})
DASHES = re.compile("(?<=[-–—])(?=[-–—])")  # which would join to longer ones
LAST_OF_LATIN = "\u017f"


def latex_letters(text: str) -> str:
    r"""A text in one line that LaTeX prints as it is.

    Example:
        >>> latex_letters("50 % ± 2 of β_0 – −1")
        '50 \\% $\\pm$ 2 of $\\beta$\\_0 -- $-$1'
    """
    line = DASHES.sub("\u200d", one_line(text))
    return "".join("{}" if letter == "\u200d" else _letter(letter) for letter in line)


def _letter(letter: str) -> str:
    if letter in SPECIAL:
        return SPECIAL[letter]
    if letter in WORDS:
        return WORDS[letter]
    if name := SYMBOLS.get(letter) or _greek(letter):
        return f"$\\{name}$"
    if " " <= letter <= "\u007e" or ("¡" <= letter <= LAST_OF_LATIN and letter.isalpha()):
        return letter
    return _other(letter)


def _greek(letter: str) -> str:
    """The command of a Greek letter; none for those that LaTeX has no command for."""
    words = unicodedata.name(letter, "").lower().replace("lamda", "lambda").split()
    if words[:1] != ["greek"] or words[2:3] != ["letter"] or len(words) != 4:
        return ""
    if words[1] == "capital":
        return words[3].capitalize() if words[3] in CAPITALS else ""
    return words[3] if words[3] != "omicron" else ""


def _other(letter: str) -> str:
    """Raised and lowered letters, letters made of plain ones, and the number of whatever is left."""
    kind, _, plain = unicodedata.decomposition(letter).partition("> ")
    if kind in ("<super", "<sub") and plain:
        inside = "".join(chr(int(code, 16)) for code in plain.split())
        inside = "-" if inside == "−" else inside
        if inside.isascii() and (inside.isalnum() or inside in "+-=()"):
            return f"${'^' if kind == '<super' else '_'}{{{inside}}}$"
    if unicodedata.category(letter) in ("Cf", "Mn"):
        return ""
    return f"\\texttt{{U+{ord(letter):04X}}}"
