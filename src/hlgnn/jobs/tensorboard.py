"""Curves of training for TensorBoard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hlgnn.errors import MissingPackageError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from hlgnn.training.fit import EpochRecord


def curve_writer(folder: Path) -> Callable[[EpochRecord], None]:
    """A function to call after every epoch; what it writes lies beside the run, in ``<folder>-tensorboard``.

    Raises:
        MissingPackageError: If TensorBoard is not installed.
    """
    try:
        from torch.utils.tensorboard import SummaryWriter  # noqa: PLC0415 - an extra
    except ImportError:
        raise MissingPackageError(
            "TensorBoard is not installed.", hint='Install it with: pip install "hlgnn[tensorboard]"'
        ) from None
    writer = SummaryWriter(str(folder.with_name(f"{folder.name}-tensorboard")))

    def write(record: EpochRecord) -> None:
        writer.add_scalar("loss", record.loss, record.epoch)
        if record.valid is not None:
            writer.add_scalar("valid", record.valid, record.epoch)
        writer.flush()

    return write
