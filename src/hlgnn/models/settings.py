"""What can be chosen about the input, the propagation and the head of HL-GNN (Sect. 4, Tables 9 and 10)."""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, model_validator

from hlgnn.formulation.beta_init import BETA_INITS
from hlgnn.settings import Settings

Share = Annotated[float, Field(ge=0.0, lt=1.0)]
Width = Annotated[int, Field(ge=1, le=65_536)]
Orders = tuple[Annotated[int, Field(ge=0, le=1000)], ...]

LAYERS = re.compile(r"all|last|first-\d+")


def _known_beta_init(name: str) -> str:
    if name not in BETA_INITS:
        raise ValueError(f"{BETA_INITS.unknown(name)}")
    return name


def _known_layers(text: str) -> str:
    if not LAYERS.fullmatch(text):
        raise ValueError("layers are 'all', 'last' or 'first-K', such as 'first-3'")
    return text


class InputSettings(Settings):
    """From what is known of the nodes to X.

    Attributes:
        source: The node features, a learned vector for each node, or both side by side; ``auto`` reads features if
            there are any, and learns vectors if not.
        standardize: Whether columns first get the mean zero and the deviation one, for features that are measured in
            units of their own; sparse features become dense.
        tf_idf: Whether a feature that many nodes have counts less: x_if · log(N / n_f).
        normalize: Whether rows are scaled to length one.
        centre: Whether columns get the mean zero; sparse features become dense.
        svd: The width that features are reduced to by their leading singular vectors; 0 leaves them as they are.
        embedding_width: The width of learned vectors.
        embedding_init: How learned vectors start.
        hidden: The width of the linear layer; 0 is none.
        dropout: The share of the entries of X that are dropped in training, before the linear layer.
    """

    source: Literal["features", "embedding", "both", "auto"] = "features"
    standardize: bool = False
    tf_idf: bool = False
    normalize: bool = False
    centre: bool = False
    svd: Annotated[int, Field(ge=0, le=65_536)] = 0
    embedding_width: Width = 256
    embedding_init: Literal["xavier", "orthogonal"] = "xavier"
    hidden: Annotated[int, Field(ge=0, le=65_536)] = 256
    dropout: Share = 0.0


class PropagationSettings(Settings):
    """Z = Σ β_l A_l ⋯ A_1 X (Eq. 2) and what is learned of it.

    Attributes:
        depth: L.
        operators: ``sym``; ``mixture`` of row, column and symmetric normalisation with learned weights for each layer
            (Eq. 3), divided by its spectral radius; ``literal-mixture``, the same as printed, which may grow;
            ``geometric``, D^-(1-s) Ã D^-s with one learned s for each layer; or ``row`` and ``col``, which are fixed.
        order: ``recurrence`` is Eq. 2 as written, ``reading`` is Eq. 1.
        layers: Which orders count: ``all``, ``first-K`` (orders 0 … K) or ``last`` (Figure 2).
        beta_init: Where β starts, by name (Appendix C.1).
        beta_parameter: α, γ or the scale of the initialisation.
        learn_beta: Whether β is learned.
        transformation: Whether each layer has a matrix of its own (Table 10).
        activation: What follows each layer (Table 10).
        centre: Whether Z gets the mean zero over all nodes.
        dropout: The share of the entries of Z that are dropped in training.
    """

    depth: Annotated[int, Field(ge=0, le=1000)] = 20
    operators: Literal["sym", "mixture", "literal-mixture", "geometric", "row", "col"] = "sym"
    order: Literal["recurrence", "reading"] = "recurrence"
    layers: Annotated[str, AfterValidator(_known_layers)] = "all"
    beta_init: Annotated[str, AfterValidator(_known_beta_init)] = "rwr"
    beta_parameter: float = 0.8
    learn_beta: bool = True
    transformation: bool = False
    activation: Literal["none", "relu", "tanh"] = "none"
    centre: bool = False
    dropout: Share = 0.0


class HeadSettings(Settings):
    """From z_i and z_j to a score.

    Attributes:
        kind: ``mlp`` of z_i ⊙ z_j, as in the paper; ``residual``, which starts as the cosine of z_i and z_j and learns
            a correction; or one whose scores of all pairs are a matrix product: ``dot``, ``cosine``, and ``diagonal``,
            a dot product whose columns have learned weights of either sign.
        hidden: The width of hidden layers.
        layers: How many linear layers there are, the last one included.
        dropout: The share of hidden units that are dropped in training.
        cosine_scale: What the cosine of the residual head is multiplied by at first.
        product: Whether the perceptron reads z_i ⊙ z_j.
        difference: Whether it reads |z_i − z_j|.
        pair_features: Whether it also reads degrees, common neighbours and resource allocation of the pair in the
            message graph.
        order_matrix: Orders whose cosines it also reads, each order at one end with each at the other; the input and
            the operator must then be fixed.
        crowding: Orders at which it also reads how near both ends are to their nearest nodes and to their neighbours;
            input and operator must be fixed here, too.
        similar: Orders whose cosines it also reads after propagation over the links joined with links between nodes
            whose features are alike; input and operator must be fixed here, too.
        similar_count: How many most alike others of each node are joined to it for that.
        walks: The length of the longest walks between the ends whose weights it also reads; 0 is none.
        metric: Orders whose cosines it also reads in the metric of the features that the known links define; input and
            operator must be fixed here, too.
        across: Orders at which it also reads how near each end is to the neighbours of the other; input and operator
            must be fixed here, too.
        profile: How many steps of random walks it also reads the arrivals and the met degrees of, for both ends; 0 is
            none.
        regression: Penalties of ridge regressions of the graph on itself whose predictions it also reads; for graphs of
            some thousand nodes.
        regression_start: Whether the score of the perceptron starts as their mean, and what it learns is a correction.
        precision: What the factors of the perceptron's products between hidden layers are rounded to in training:
            ``bfloat16`` is faster where the processor multiplies it.
    """

    kind: Literal["mlp", "residual", "dot", "cosine", "diagonal"] = "mlp"
    hidden: Width = 256
    layers: Annotated[int, Field(ge=1, le=16)] = 2
    dropout: Share = 0.0
    cosine_scale: Annotated[float, Field(gt=0.0)] = 10.0
    product: bool = True
    difference: bool = False
    pair_features: bool = False
    order_matrix: Orders = ()
    crowding: Orders = ()
    similar: Orders = ()
    similar_count: Annotated[int, Field(ge=1, le=1000)] = 10
    walks: Annotated[int, Field(ge=0, le=8)] = 0
    metric: Orders = ()
    across: Orders = ()
    profile: Annotated[int, Field(ge=0, le=8)] = 0
    regression: tuple[Annotated[float, Field(gt=0.0)], ...] = ()
    regression_start: bool = False
    precision: Literal["float32", "bfloat16"] = "float32"

    @model_validator(mode="after")
    def _reads_something(self) -> HeadSettings:
        named = (
            "pair_features",
            "order_matrix",
            "crowding",
            "similar",
            "walks",
            "metric",
            "across",
            "profile",
            "regression",
        )
        numbers = any(getattr(self, name) for name in named)
        if self.reads_numbers and not (self.product or self.difference or numbers):
            raise ValueError("the head would read nothing: set product, difference, pair_features or order_matrix")
        for name in ("order_matrix", "crowding", "similar", "metric", "across", "regression"):
            values = getattr(self, name)
            if len(set(values)) < len(values):
                raise ValueError(f"a value stands twice in {name}")
        if self.regression_start and not (self.regression and self.kind == "mlp"):
            raise ValueError("regression_start is for the kind 'mlp' with penalties in regression")
        if self.walks == 1:
            raise ValueError("walks of one step are links: set walks to 0, or to 2 or more")
        return self

    @property
    def reads_numbers(self) -> bool:
        """Whether there is a perceptron, which can read more than z_i and z_j."""
        return self.kind in {"mlp", "residual"}


class HLGNNSettings(Settings):
    """All of the model.

    Attributes:
        input: X.
        propagation: Z = H X.
        head: The score of a pair.
        path: How Z is computed: ``auto`` chooses among the exact ones; ``plain`` multiplies in every step, ``once``
            keeps all A^l X, ``spectral`` the eigenvectors of the operator.
        precision: What is used in training for dense products of N × N numbers, on the path ``spectral`` and for all
            pairs, for the layers of a fixed operator on the path ``plain``, and for those layers of learned ones that
            are kept for the backward pass: ``bfloat16`` is faster or takes less memory, and rounds.
            Evaluation is in ``float32``.
        memory: Bytes that the kept products of one message graph may take; hidden folds have one each.
    """

    input: InputSettings = InputSettings()
    propagation: PropagationSettings = PropagationSettings()
    head: HeadSettings = HeadSettings()
    path: Literal["auto", "plain", "once", "spectral"] = "auto"
    precision: Literal["float32", "bfloat16"] = "float32"
    memory: Annotated[int, Field(ge=1)] = 4 << 30
