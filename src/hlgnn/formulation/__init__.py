"""Every heuristic of the family as one formulation, scored for pairs and ranked for whole graphs."""

from hlgnn.formulation.catalogue import HEURISTICS, Entry, entry_of, parse
from hlgnn.formulation.estimates import Estimate, estimate
from hlgnn.formulation.files import load_formulation, save_formulation
from hlgnn.formulation.formulation import Formulation
from hlgnn.formulation.full_rows import rows
from hlgnn.formulation.heuristic import Heuristic
from hlgnn.formulation.local_heuristics import LocalHeuristic
from hlgnn.formulation.memory import DEFAULT_MEMORY, readable
from hlgnn.formulation.normalization import Normalized, normalize
from hlgnn.formulation.operators import ADJ, COL, ROW, SYM, Operator
from hlgnn.formulation.ranked import RankedLinks
from hlgnn.formulation.requests import score_table, top_links
from hlgnn.formulation.series import Series

__all__ = [
    "ADJ",
    "COL",
    "DEFAULT_MEMORY",
    "HEURISTICS",
    "ROW",
    "SYM",
    "Entry",
    "Estimate",
    "Formulation",
    "Heuristic",
    "LocalHeuristic",
    "Normalized",
    "Operator",
    "RankedLinks",
    "Series",
    "entry_of",
    "estimate",
    "load_formulation",
    "normalize",
    "parse",
    "readable",
    "rows",
    "save_formulation",
    "score_table",
    "top_links",
]
