"""The propagation of HL-GNN as a layer for other people's models (Eqs. 2 and 3)."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from hlgnn.errors import SettingsError
from hlgnn.estimators.message_cache import MessageCache
from hlgnn.models.propagation import Propagation
from hlgnn.models.settings import PropagationSettings
from hlgnn.settings import parse_settings


class HLConv(nn.Module):
    """Z = Σ_l β_l A_l ⋯ A_1 X (Eqs. 2 and 3), called as layers of PyG are, which need not be installed.

    The graph is undirected: an edge counts in both directions, whichever are given, and the weight of a link is the
    larger of the sums given for its two directions. Self-loops in ``edge_index`` are dropped, and every node gets one
    of weight one, Ã = A + I, as in the paper. So a node without neighbours keeps its row times Σ β_l; less than that
    with a mixture, which is divided by a bound of the whole graph.

    What is learned are β, and α where operators are. The columns of X do not mix, and the width stays: put linear
    layers before or after. X may be of single or double precision; the layer goes along with ``.double()``. The
    backward pass keeps no layer with fixed operators, and O(√L) with learned ones. Second derivatives are not defined.

    As it takes X and the edges, it stands in a model of one's own or in PyG's ``Sequential``, and not in torch's, whose
    layers take one argument.

    The normalised graph is kept until another tensor of edges comes, or this one is deleted or written to.

    Args:
        channels: The width of X and Z, F.
        depth: L.
        operators: ``"sym"``, ``"row"`` or ``"col"``, which are fixed; or learned for each layer: ``"mixture"`` of these
            three (Eq. 3) divided by a bound of its spectral radius, ``"literal-mixture"`` as printed, or
            ``"geometric"``, D^-(1-s) Ã D^-s.
        beta_init: Where β starts, by name (Appendix C.1): ``"rwr"``, ``"ki"``, ``"random"``, ``"uniform"``,
            ``"reverse-ki"`` or ``"final-layer"``.
        beta_parameter: α, γ or the scale of the initialisation.
        generator: Draws β if it starts at random; by default one with the seed 0.

    Example:
        >>> layer = HLConv(2, depth=1, beta_init="ki", beta_parameter=0.5)
        >>> x, edge_index = torch.tensor([[1.0, 0.0], [0.0, 4.0]]), torch.tensor([[0], [1]])
        >>> [[round(value, 4) for value in row] for row in layer(x, edge_index).tolist()]  # X + ½ [½ ½; ½ ½] X
        [[1.25, 1.0], [0.25, 5.0]]
    """

    def __init__(
        self,
        channels: int,
        depth: int = 10,
        operators: str = "sym",
        beta_init: str = "rwr",
        beta_parameter: float = 0.8,
        *,
        generator: torch.Generator | None = None,
    ) -> None:
        super().__init__()
        if channels < 1:
            raise SettingsError(f"A layer cannot have {channels} channels.", where="channels")
        chosen: dict[str, Any] = {
            "depth": depth,
            "operators": operators,
            "beta_init": beta_init,
            "beta_parameter": beta_parameter,
        }
        settings = parse_settings(PropagationSettings, chosen)
        self.in_channels = self.out_channels = channels
        self.propagation = Propagation(settings, generator or torch.Generator().manual_seed(0))
        self._start = (self.propagation.beta.detach().clone(), _copy(self.propagation.alpha))
        self._cache = MessageCache()

    @property
    def beta(self) -> nn.Parameter:
        """The weight of each order.  (L + 1,)"""
        return self.propagation.beta

    @property
    def alpha(self) -> nn.Parameter | None:
        """What operators are made of: (L, 3) for mixtures, (L,) for geometric ones, ``None`` for fixed ones."""
        return self.propagation.alpha

    def reset_parameters(self) -> None:
        """Put β and α where they started."""
        with torch.no_grad():
            for parameter, start in zip((self.beta, self.alpha), self._start, strict=True):
                if parameter is not None and start is not None:
                    parameter.copy_(start)

    def forward(
        self, x: Tensor, edge_index: Tensor, edge_weight: Tensor | None = None, num_nodes: int | None = None
    ) -> Tensor:
        """Z, differentiable in X, β and α.  (N, F), (2, E), (E,) -> (N, F)

        Args:
            x: A row for each node.
            edge_index: The two ends of each edge.
            edge_weight: Positive weights of the edges, constants.
            num_nodes: N, if the caller wants it checked.

        Raises:
            SettingsError: If shapes or types do not fit.
            GraphFormatError: If an edge names a node that is not there, or a weight is not positive.
        """
        self._check(x, num_nodes)
        messages = self._cache.get(edge_index, edge_weight, len(x), x.dtype, self.propagation.messages)
        z: Tensor = self.propagation(messages, x)
        return z

    def extra_repr(self) -> str:
        """What is shown between the brackets."""
        chosen = self.propagation.settings
        return f"{self.in_channels}, depth={chosen.depth}, operators={chosen.operators!r}"

    def _check(self, x: Tensor, num_nodes: int | None) -> None:
        if x.ndim != 2 or x.shape[1] != self.in_channels:
            raise SettingsError(f"X has the shape (N, {self.in_channels}), not {tuple(x.shape)}.", where="x")
        if num_nodes is not None and num_nodes != len(x):
            raise SettingsError(f"There are {len(x)} rows for {num_nodes} nodes.", where="num_nodes")
        if x.dtype != self.beta.dtype:
            hint = "Convert X, or the layer by .double() or .float()."
            raise SettingsError(f"X is {x.dtype}, but β is {self.beta.dtype}.", where="x", hint=hint)


def _copy(parameter: nn.Parameter | None) -> Tensor | None:
    return None if parameter is None else parameter.detach().clone()
