"""The weights of a model whose columns several processes hold, in one place."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.models import LinkModel
    from hlgnn.processes import Processes


def whole_weights(model: LinkModel[Any, Any], processes: Processes) -> dict[str, Tensor] | None:
    """The state of the model for the first process, ``None`` for the others; all have to call it."""
    shares = model.column_shares()
    found: dict[str, Tensor] = {}
    for name, tensor in model.state_dict().items():
        if name not in shares:
            found[name] = tensor
        elif processes.pairs.rank == 0:  # processes with other pairs hold the same
            dim, columns = shares[name]
            whole = columns.collect(tensor.detach().movedim(dim, -1), "weights")
            if whole is not None:
                found[name] = whole.movedim(-1, dim)
    return found if processes.first else None


def count_learned(model: LinkModel[Any, Any]) -> int:
    """How many numbers are learned, those of other processes included."""
    shares, count = model.column_shares(), 0
    for name, parameter in model.named_parameters():
        if parameter.requires_grad:
            dim, columns = shares.get(name, (0, None))
            count += parameter.numel() if columns is None else columns.whole_size(parameter.shape, dim)
    return count
