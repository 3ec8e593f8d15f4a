"""How many bytes a step of training takes under a plan, counted array by array."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from hlgnn.formulation.kernels.sum_lanes import LANES, WIDEST
from hlgnn.formulation.layer_storage import groups, segments, upper_root
from hlgnn.formulation.polynomial import BLOCK
from hlgnn.models.link_model import LinkModel

if TYPE_CHECKING:
    from hlgnn.models.memory_plan import MemoryPlan

FLOAT, DOUBLE = 4, 8
TRIALS = 9
"""Vectors of the table that bounds mixtures."""
NORMALIZED = 64
"""Bytes of degrees and their inverses for each node, with what normalising takes for a moment."""
HIDDEN_GRAPH = 120
"""Bytes for each link while links are taken out of a message graph."""
HEAP = 32 << 20
"""Arrays below so many bytes stay with the process when they are freed."""
SLACK = 1.05
EIGENVECTORS = 7
"""N × N numbers in double precision while the operator is diagonalised."""
REGRESSION = 5
"""N × N numbers while a regression is solved."""

Operators = Literal["fixed", "mixture", "literal-mixture", "geometric", "layered"]


@dataclass(frozen=True)
class WorkSizes:
    """Everything that memory depends on.

    Attributes:
        nodes: N.
        links: M.
        input_width: Columns of X before a linear layer, those of learned vectors included.
        width: Columns of Z.
        embedding: Columns of learned vectors, 0 without.
        linear: Whether there is a linear layer.
        prepared: Bytes of prepared features that are no view of the graph's.
        sparse: Whether those stay sparse, which keeps them out of files.
        depth: L.
        operators: Which kind.
        unit: Whether the head reads unit vectors.
        noise: How many of X and Z have dropout or are centred.
        head_hidden: The width of hidden layers of the head, 0 without.
        head_layers: How many hidden layers.
        pairs: Pairs for each step, negatives included.
        evaluated: Pairs that epochs are compared by.
        graphs: Prepared message graphs that exist at once.
        hidden_links: Whether message graphs are made without some links.
        parameters: Numbers that are learned.
        regressions: Regressions of the graph on itself, each a dense matrix for every message graph.
        tables: Bytes of what cosines of pairs are read from, for every message graph.
        collected: Bytes of learned vectors that one process collects from others in the end.
    """

    nodes: int
    links: int
    input_width: int
    width: int
    embedding: int
    linear: bool
    prepared: int
    sparse: bool
    depth: int
    operators: Operators
    unit: bool
    noise: int
    head_hidden: int
    head_layers: int
    pairs: int
    evaluated: int
    graphs: int
    hidden_links: bool
    parameters: int
    regressions: int = 0
    tables: int = 0
    collected: int = 0

    @property
    def learned(self) -> bool:
        """Whether layers are needed for gradients of operators."""
        return self.operators != "fixed"

    @property
    def narrow(self) -> bool:
        """Whether the columns before the linear layer are propagated, since they are fewer."""
        return self.linear and self.operators != "layered" and self.input_width + 1 < self.width

    @property
    def propagated(self) -> int:
        """Columns that go through the layers."""
        return self.input_width + 1 if self.narrow else self.width


@dataclass(frozen=True)
class MemoryUse:
    """What training takes besides what is there before it.

    Attributes:
        bytes: The most memory at any time.
        mapped: Bytes in files, which the system keeps in memory as long as there is room.
    """

    bytes: int
    mapped: int


def training_use(sizes: WorkSizes, plan: MemoryPlan) -> MemoryUse:
    """What ``Training`` takes from its beginning to the evaluation on the test links."""
    learned = FLOAT * sizes.parameters
    state = 3 * learned  # two moments and the best weights; the gradient has no file
    movable, fixed = sizes.prepared * sizes.graphs, 0  # what may live in a file, and what may not
    if sizes.sparse:
        movable, fixed = fixed, movable
    if plan.path == "once":
        movable = FLOAT * sizes.nodes * (sizes.depth + 1) * (sizes.input_width + 1) * sizes.graphs
    elif plan.path == "spectral":
        fixed += FLOAT * sizes.nodes**2 * sizes.graphs
    fixed += (FLOAT * sizes.nodes**2 * sizes.regressions + sizes.tables) * sizes.graphs
    graphs = sizes.graphs * sizes.nodes * (NORMALIZED + (3 * TRIALS * DOUBLE if sizes.operators == "mixture" else 0))
    graphs += sizes.graphs * (8 * sizes.links + 8 * sizes.nodes) + HIDDEN_GRAPH * sizes.links * sizes.hidden_links
    kept = learned + graphs + fixed + (0 if plan.mapped else state + movable)
    adam = 2 * FLOAT * max(sizes.nodes * sizes.embedding, sizes.input_width * sizes.width)
    moment = max(_step(sizes, plan), _evaluation(sizes, plan), adam, _preparing(sizes, plan), sizes.collected)
    mapped = state + movable + (FLOAT * sizes.nodes * sizes.embedding) if plan.mapped else 0
    return MemoryUse(int(SLACK * (kept + moment)), mapped)


def _step(sizes: WorkSizes, plan: MemoryPlan) -> int:
    """One step: what the forward pass leaves, and the larger of the two halves of the backward pass."""
    if plan.path == "once":
        rows = min(sizes.nodes, 2 * sizes.pairs)
        return FLOAT * rows * (2 * (sizes.input_width + 1) + 6 * sizes.width) + _head_in_training(sizes)
    z, x = FLOAT * sizes.nodes * sizes.width, FLOAT * sizes.nodes * sizes.input_width
    inner = FLOAT * sizes.nodes * sizes.propagated
    both = sizes.embedding and sizes.embedding < sizes.input_width
    left = z * (1 + sizes.unit + sizes.noise) + (x if both or sizes.noise else 0)
    if sizes.narrow:
        left += 2 * inner
    elif sizes.linear:
        left += z
    chain, pulled = _chain(sizes, plan, inner)
    table = 3 * DOUBLE * sizes.depth * TRIALS * sizes.nodes if sizes.operators == "mixture" else 0
    left += chain + table
    head = _head_in_training(sizes)
    scored = _head(sizes, sizes.pairs, 3, 2) + (2 + sizes.unit) * z  # the rows of both ends are summed up
    # Without a linear layer the gradient of learned vectors is what the chain returns, and is counted already.
    back = z * (1 + sizes.unit + sizes.noise) + pulled
    if sizes.linear or not sizes.embedding:
        back += z + (2 * inner if sizes.narrow else z) + (2 * x if sizes.linear and sizes.embedding else 0)
    forward = 2 * z if sizes.narrow else _working(sizes, plan, inner)
    small = FLOAT * sizes.pairs * max(sizes.width, sizes.head_hidden) < HEAP
    return left + max(head, scored, max(back, forward) + (head if small else 0))


def _chain(sizes: WorkSizes, plan: MemoryPlan, inner: int) -> tuple[int, int]:
    """Bytes of layers that stay between the passes, and of those that the backward pass works with."""
    if sizes.operators == "fixed" or plan.path == "spectral":
        return 0, _working(sizes, plan, inner)
    if sizes.operators == "layered":
        return 4 * sizes.depth * inner, 4 * inner
    block = inner * min(1.0, (plan.columns or sizes.propagated) / max(1, sizes.propagated))
    if sizes.operators == "geometric":
        kept, again = _geometric_layers(sizes.depth, plan, block)
    else:
        starts = segments(sizes.depth, plan.layers)
        half = 0.5 if plan.precision == "bfloat16" else 1.0
        longest = 1 if plan.layers == "none" else max((len(group) for group in starts), default=0)
        kept, again = half * max(0, len(starts) - 1) * block, (longest + 3.0) * block
    if plan.columns:
        return 0, int(kept + again + 3 * block)
    return int(kept), int(again)


def _geometric_layers(depth: int, plan: MemoryPlan, block: float) -> tuple[float, float]:
    if plan.layers == "all":
        return 4.0 * depth * block, 3.0 * block
    starts = groups(depth, 1 if plan.layers == "none" else 2 * upper_root(depth))
    longest = 1 if plan.layers == "none" else max((len(group) for group in starts), default=0)
    return 2.0 * len(starts) * block, 5.0 * longest * block


def _working(sizes: WorkSizes, plan: MemoryPlan, inner: int) -> int:
    """What a chain without stored layers takes besides X, Z and their gradients."""
    if plan.path == "spectral":
        return 2 * inner
    if sizes.learned:
        return int(2 * inner * min(1.0, (plan.columns or sizes.propagated) / max(1, sizes.propagated)))
    if plan.columns:
        return 5 * FLOAT * sizes.nodes * min(plan.columns, sizes.propagated)
    if inner <= FLOAT * BLOCK:
        return 2 * inner
    size = 2 if plan.precision == "bfloat16" else FLOAT
    return sizes.nodes * max(2 * size * WIDEST[size], 5 * FLOAT * LANES[-1])


def _head(sizes: WorkSizes, pairs: int, rows: int, hidden: int) -> int:
    """``rows`` times the representations of pairs, and ``hidden`` times the hidden units."""
    return FLOAT * pairs * (rows * sizes.width + hidden * sizes.head_hidden * max(1, sizes.head_layers) + 24)


def _head_in_training(sizes: WorkSizes) -> int:
    """The rows of both ends, their product and the hidden units with their gradients, or the gradients of the rows."""
    return max(_head(sizes, sizes.pairs, 3, 4), _head(sizes, sizes.pairs, 6, 1))


def _evaluation(sizes: WorkSizes, plan: MemoryPlan) -> int:
    pairs = min(LinkModel.pairs_at_once, sizes.evaluated)
    batch = _head(sizes, pairs, 3 + 2 * sizes.unit, 2) + 40 * sizes.evaluated
    if plan.path == "once":
        return batch + FLOAT * min(sizes.nodes, 2 * pairs) * (sizes.input_width + 1 + 3 * sizes.width)
    z, inner = FLOAT * sizes.nodes * sizes.width, FLOAT * sizes.nodes * sizes.propagated
    x = FLOAT * sizes.nodes * sizes.input_width if sizes.embedding < sizes.input_width else 0
    encoding = x + (2 * inner + 2 * z if sizes.narrow else z * (1 + sizes.linear)) + _working(sizes, plan, inner)
    return max(encoding, z * (1 + sizes.unit) + batch)


def _preparing(sizes: WorkSizes, plan: MemoryPlan) -> int:
    """What preparing a message graph takes for a moment."""
    solved = REGRESSION * FLOAT * sizes.nodes**2 if sizes.regressions else 0
    if plan.path == "spectral":
        return max(solved, EIGENVECTORS * DOUBLE * sizes.nodes**2)
    dense = 3 * FLOAT * sizes.nodes * (sizes.input_width + 1) if plan.path == "once" else 0
    bound = 8 * DOUBLE * sizes.nodes * TRIALS if sizes.operators == "mixture" else 0
    return dense + 2 * sizes.prepared + bound + solved
