"""The list, in the order of the paper."""

from __future__ import annotations

from hlgnn.experiments.claims.costs import (
    epochs_like_gcn,
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
    predictor_alone_suffices,
    row_is_best,
    shallow_is_better,
    some_rows_are_best,
)
from hlgnn.experiments.claims.verdict import Claim, by
from hlgnn.experiments.figure4 import PLAIN as FROM_Z
from hlgnn.experiments.figure6 import STARTS

PROTOCOLS = ("paper", "ncn", "buddy", "heart", "ogb")
PLAIN, VARIANTS = "HL-GNN", ("with ReLU", "with transformation", "with ReLU and transformation")
SHORT_RANGE = tuple(name for name, (kind, _) in STARTS.items() if kind in {"ki", "rwr"})
CITATIONS, DDI = ("Cora", "Citeseer"), "ogbl-ddi"

EXACT = (
    Claim("The operators are the matrices of Table 1.", "Table 1", "table1", by(formulas_hold, "operators")),
    Claim(
        "CN, LLHN, RA, KI, GLHN, RWR, LPI and LRW are instances of Eq. 1.",
        "Table 2",
        "table2",
        by(formulas_hold, "heuristics"),
    ),
    Claim(
        "Eigenvalues of the mixture of Eq. 3 lie in [0, 1] (its largest one, with equal shares).",
        "Sect. 4.1",
        "operators",
        by(eigenvalues_stay_below_one),
    ),
    Claim("The data sets are as large as printed.", "Table 8", "table8", by(sizes_are_printed)),
)
SCORES = (
    *(
        Claim(f"HL-GNN is the best of all methods (under `{name}`).", "Table 4", "table4", by(best_method, name))
        for name in PROTOCOLS
    ),
    Claim("It gains 7.0 % on Cora (under `paper`).", "Sect. 5.2", "table4", by(gain, "paper", "cora", 7.0)),
    Claim("It gains 16.7 % on Pubmed (under `paper`).", "Sect. 5.2", "table4", by(gain, "paper", "pubmed", 16.7)),
    *(
        Claim(f"It is above all heuristics (under `{name}`).", "Sect. 5.2", "table4", by(above_heuristics, name))
        for name in ("paper", "ogb")
    ),
    Claim(
        "Global heuristics do better than local ones on Planetoid and Amazon (under `paper`).",
        "Sect. 5.2",
        "table4",
        by(better_kind, "paper", GLOBAL, LOCAL),
    ),
    Claim(
        "Local heuristics do better than global ones on OGB (under `ogb`).",
        "Sect. 5.2",
        "table4",
        by(better_kind, "ogb", LOCAL, GLOBAL),
    ),
)
ABLATIONS = (
    Claim("Local and global orders together do best.", "Figure 2", "figure2", by(all_ranges_are_best)),
    Claim("Twenty layers do no harm.", "Figure 3", "figure3", by(depth_does_no_harm)),
    Claim(
        "Shallow models do poorly on Cora and Pubmed (one layer).",
        "Figure 3",
        "figure3",
        by(one_layer_is_poor, ("Cora", "Pubmed")),
    ),
    Claim("On ogbl-ddi more than fifteen layers do harm.", "Figure 3", "figure3", by(more_layers_do_harm, DDI)),
    Claim("KI and RWR are the best starts of β.", "Figure 6", "figure6", by(some_rows_are_best, SHORT_RANGE)),
    Claim("Transformations and activations do not help.", "Table 10", "table10", by(row_is_best, PLAIN, VARIANTS)),
    Claim(
        "With a transformation few layers do better than twenty.",
        "App. C.1",
        "table10",
        by(shallow_is_better, "with transformation, L = 3", "with transformation"),
    ),
)
COSTS = (
    Claim("The time of HL-GNN grows as O(L M F).", "Table 3", "table3", by(grows_as_stated)),
    Claim("An epoch takes about as long as one of GCN.", "Table 5", "table5", by(epochs_like_gcn)),
    Claim(
        "An epoch is several orders of magnitude faster than one of SEAL, NBFNet and Neo-GNN.",
        "Sect. 5.4",
        "table5",
        by(faster_by_orders, ("seal", "nbfnet", "neo-gnn")),
    ),
    Claim(
        "HL-GNN has the fewest parameters (widths of Table 6).", "Table 6", "table6", by(fewest_parameters, "table6")
    ),
    Claim("The same, as models are trained here.", "Table 6", "table6", by(fewest_parameters, "default")),
    Claim("Training the predictor alone takes less time.", "Table 7", "table7", by(predictor_alone_is_faster)),
    Claim("Training the predictor alone does about as well.", "Table 11", "table11", by(predictor_alone_suffices)),
)
WEIGHTS = (
    Claim(
        "On Cora and Citeseer β_0 has the largest magnitude.",
        "Figure 4",
        "figure4",
        by(features_weigh_most, FROM_Z, CITATIONS),
    ),
    Claim(
        "On Cora and Citeseer the weights fall from order to order.",
        "Figure 4",
        "figure4",
        by(weights_fall, FROM_Z, CITATIONS),
    ),
    Claim(
        "On ogbl-ddi β_2 has the largest magnitude.", "Figure 4", "figure4", by(order_weighs_most, FROM_Z, (DDI,), 2.0)
    ),
    Claim(
        "On ogbl-ddi weights of high orders are negative (the last one).",
        "Figure 4",
        "figure4",
        by(late_weights_are_negative, FROM_Z, (DDI,)),
    ),
    Claim(
        "Order 2 is largest on triangles and order 5 on hexagons, by the text's settings.",
        "Figure 5",
        "figure5",
        by(rings_are_found, "paper"),
    ),
    Claim("The same, where the score is H_ij itself.", "Figure 5", "figure5", by(rings_are_found, "walks")),
)
CLAIMS = (*EXACT, *SCORES, *ABLATIONS, *COSTS, *WEIGHTS)
