"""The list, in the order of the paper."""

from __future__ import annotations

from hlgnn.experiments.claims.costs import (
    epochs_like,
    faster_by_orders,
    fewest_parameters,
    grows_as_stated,
    predictor_alone_is_faster,
)
from hlgnn.experiments.claims.exactness import eigenvalues_stay_below_one, formulas_hold, sizes_are_printed
from hlgnn.experiments.claims.learned_weights import (
    features_weigh_most,
    late_weights_are_negative,
    order_weighs_most,
    rings_are_found,
    weights_fall,
)
from hlgnn.experiments.claims.methods import GLOBAL, LOCAL, above_heuristics, best_method, better_kind, gain
from hlgnn.experiments.claims.settings import (
    all_ranges_are_best,
    depth_does_no_harm,
    more_layers_do_harm,
    one_layer_is_poor,
    predictor_alone_ends_sooner,
    predictor_alone_suffices,
    row_is_best,
    shallow_is_better,
    some_rows_are_best,
)
from hlgnn.experiments.claims.verdict import Claim, by
from hlgnn.experiments.figure4 import PLAIN as FROM_Z
from hlgnn.experiments.figure6 import STARTS
from hlgnn.experiments.methods import title_of
from hlgnn.experiments.table4 import AS_PRINTED

DEFAULT = title_of("hlgnn")
MODELS = {DEFAULT: "our default", AS_PRINTED: "the paper's model at width 256"}
"""Rows of Table 4 that are HL-GNN, and what they are called on the page."""

PLAIN, VARIANTS = "HL-GNN", ("with ReLU", "with transformation", "with ReLU and transformation")
SHORT_RANGE = tuple(name for name, (kind, _) in STARTS.items() if kind in {"ki", "rwr"})
CITATIONS, DDI = ("Cora", "Citeseer"), "ogbl-ddi"

EXACT = (
    Claim("The operators are the matrices of Table 1.", "Table 1", "table1", by(formulas_hold, "operators")),
    Claim(
        "CN, LLHN, RA, KI, GLHN, RWR, LPI, LRW and the new ones of App. D are instances of Eq. 1.",
        "Table 2",
        "table2",
        by(formulas_hold, "heuristics"),
    ),
    Claim(
        "Eigenvalues of the mixture of Eq. 3 lie in [0, 1] (its largest one, with equal shares).",
        "Sect. 4.1",
        "operators",
        by(eigenvalues_stay_below_one),
        "literal-mixture",
    ),
    Claim("The data sets are as large as printed.", "Table 8", "table8", by(sizes_are_printed)),
)


def _scores(row: str) -> tuple[Claim, ...]:
    """What is claimed of HL-GNN beside others, of one of the models that bear its name."""
    whose, under = MODELS[row], ("paper", "ncn", "buddy", "heart", *(("ogb",) if row == DEFAULT else ()))
    return (
        *(
            Claim(
                f"HL-GNN is the best of all methods ({whose}, under `{name}`).",
                "Table 4",
                "table4",
                by(best_method, name, row),
                name,
            )
            for name in under
        ),
        *(
            Claim(
                f"It gains {printed} % on {title} over the second-best method ({whose}, under `paper`).",
                "Sect. 5.2",
                "table4",
                by(gain, "paper", row, name, printed),
                f"paper {title}",
            )
            for name, title, printed in (("cora", "Cora", 7.0), ("pubmed", "Pubmed", 16.7))
        ),
        Claim(
            f"It is above all heuristics ({whose}, under `paper`).",
            "Sect. 5.2",
            "table4",
            by(above_heuristics, "paper", row),
            "paper",
        ),
    )


SCORES = (
    *(claim for row in MODELS for claim in _scores(row)),
    Claim(
        "Global heuristics do better than local ones on Planetoid and Amazon (under `paper`).",
        "Sect. 5.2",
        "table4",
        by(better_kind, "paper", GLOBAL, LOCAL),
        "paper",
    ),
    Claim(
        "Local heuristics do better than global ones on OGB (under `ogb`).",
        "Sect. 5.2",
        "table4",
        by(better_kind, "ogb", LOCAL, GLOBAL),
        "ogb",
    ),
)
ABLATIONS = (
    Claim(
        "Local and global orders together do better than either, at every depth.",
        "Figure 2",
        "figure2",
        by(all_ranges_are_best),
    ),
    Claim("Twenty layers do no harm.", "Figure 3", "figure3", by(depth_does_no_harm)),
    Claim(
        "Shallow models do poorly on Cora and Pubmed (one layer).",
        "Figure 3",
        "figure3",
        by(one_layer_is_poor, ("Cora", "Pubmed")),
    ),
    Claim("On ogbl-ddi more than fifteen layers do harm.", "Figure 3", "figure3", by(more_layers_do_harm, DDI), DDI),
    Claim("KI and RWR are the best starts of β.", "Figure 6", "figure6", by(some_rows_are_best, SHORT_RANGE)),
    Claim("Transformations and activations do not help.", "Table 10", "table10", by(row_is_best, PLAIN, VARIANTS)),
    Claim(
        "With a transformation three layers do better than twenty.",
        "App. C.1",
        "table10",
        by(shallow_is_better, "with transformation, L = 3", "with transformation"),
        "transformation",
    ),
)
COSTS = (
    Claim("The time of HL-GNN grows as O(L M F).", "Table 3", "table3", by(grows_as_stated), DEFAULT),
    Claim(
        "An epoch takes slightly longer than one of GCN or GAT (width 256).",
        "Table 5",
        "table5",
        by(epochs_like, ("gcn", "gat")),
    ),
    Claim(
        "An epoch is several orders of magnitude faster (here: a hundred times) than one of SEAL, NBFNet and Neo-GNN "
        "(width 256).",
        "Sect. 5.4",
        "table5",
        by(faster_by_orders, ("seal", "nbfnet", "neo-gnn")),
    ),
    Claim(
        "HL-GNN has the fewest parameters (widths of Table 6).", "Table 6", "table6", by(fewest_parameters, "table6")
    ),
    Claim("The same, as models are trained here.", "Table 6", "table6", by(fewest_parameters, "default")),
    Claim("Training the predictor alone takes less time.", "Table 7", "table7", by(predictor_alone_is_faster)),
    Claim("It is done after fewer epochs.", "App. C.3", "table11", by(predictor_alone_ends_sooner)),
    Claim("It loses no more than is printed.", "Table 11", "table11", by(predictor_alone_suffices)),
)
WEIGHTS = (
    Claim(
        "On Cora and Citeseer β_0 has the largest magnitude (from a start that has it so; App. C.2 prints a larger β_1 "
        "for Cora).",
        "Figure 4",
        "figure4",
        by(features_weigh_most, FROM_Z, CITATIONS),
        "head",
    ),
    Claim(
        "On Cora and Citeseer the weights fall from order to order.",
        "Figure 4",
        "figure4",
        by(weights_fall, FROM_Z, CITATIONS),
        "head",
    ),
    Claim(
        "On ogbl-ddi β_2 has the largest magnitude.",
        "Figure 4",
        "figure4",
        by(order_weighs_most, FROM_Z, (DDI,), 2.0),
        f"head {DDI}",
    ),
    Claim(
        "On ogbl-ddi weights of high orders are negative (the last one).",
        "Figure 4",
        "figure4",
        by(late_weights_are_negative, FROM_Z, (DDI,)),
        f"head {DDI}",
    ),
    Claim(
        "Order 2 is largest on triangles and order 5 on hexagons, by the text's settings.",
        "Figure 5",
        "figure5",
        by(rings_are_found, "paper"),
        "paper",
    ),
    Claim(
        "The same, where the score is H_ij itself (a recipe that was searched for to show it).",
        "Figure 5",
        "figure5",
        by(rings_are_found, "walks"),
        "walks",
    ),
)
CLAIMS = (*EXACT, *SCORES, *ABLATIONS, *COSTS, *WEIGHTS)
