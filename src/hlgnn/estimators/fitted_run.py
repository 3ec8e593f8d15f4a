"""A trained run in a folder of its own, with the graph as it is now."""

from __future__ import annotations

import json
import os
import shutil
import tempfile
import weakref
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import torch

from hlgnn.errors import SettingsError
from hlgnn.estimators.id_arrays import positions
from hlgnn.jobs.grown_graph import Growth, grown_dataset
from hlgnn.jobs.predict_run import open_run
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.study.study import STUDY, Asked, study_run
from hlgnn.jobs.study.tail_file import read_tail, write_tail
from hlgnn.progress import Progress, silent
from hlgnn.ranking import Candidates

if TYPE_CHECKING:
    from torch import Tensor

    from hlgnn.calibration import TailCalibration
    from hlgnn.jobs.predict_run import Opened

RUN, INPUT, ADDED = "run", "input", "added.parquet"


class Workspace:
    """A temporary folder with what goes in and what comes out; it is deleted with the object."""

    def __init__(self) -> None:
        self.path = Path(tempfile.mkdtemp(prefix="hlgnn-"))
        weakref.finalize(self, _remove, self.path, os.getpid())
        self.input.mkdir()

    @property
    def run(self) -> Path:
        """The folder of the run, as ``hlgnn train`` writes it."""
        return self.path / RUN

    @property
    def input(self) -> Path:
        """The folder of the tables of the graph."""
        return self.path / INPUT

    @property
    def added(self) -> Path:
        """The links that were added since training."""
        return self.input / ADDED


class FittedRun:
    """What a fitted estimator asks; what takes long is computed when it is first asked for.

    Args:
        workspace: Where the run is.
        memory: Bytes that may be used.
        notes: What was noticed while reading the graph.
    """

    def __init__(self, workspace: Workspace, *, memory: int, notes: tuple[str, ...] = ()) -> None:
        self.workspace, self.memory, self.notes = workspace, memory, notes
        growth = Growth(links=workspace.added if workspace.added.is_file() else None)
        self.bare: Opened = open_run(workspace.run, growth=growth, memory=memory)
        self.result = RunFolder.open(workspace.run).result()

    @property
    def opened(self) -> Opened:
        """The run, with what chances come from."""
        return replace(self.bare, tail=self.tail)

    @cached_property
    def tail(self) -> TailCalibration:
        """What was counted on the validation links; counted now and kept, unless it was before."""
        if self.bare.tail is not None:
            return self.bare.tail
        write_tail(self.workspace.run, self.bare.ranker)
        return read_tail(self.workspace.run, self.bare.ranker.work.split).calibration

    def study(self, *, automatic: bool, progress: Progress = silent) -> dict[str, Any]:
        """Compare with every heuristic, calibrate, rank and explain, on the graph of training; once for each run."""
        path = self.workspace.run / STUDY
        if path.is_file():
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            return found
        asked = Asked(automatic=automatic, memory=self.memory, notes=self.notes)
        return study_run(self.workspace.run, asked, progress=progress)

    def scores(self, pairs: Tensor) -> Tensor:
        """The score of each pair in the graph as it is now.  (P, 2) -> (P,)"""
        if len(pairs) == 0:
            return torch.empty(0, dtype=torch.float64)
        return self.bare.ranker.scores(Candidates(self.bare.dataset.graph), pairs).double()

    def add(self, pairs: Any) -> None:
        """Add links between known nodes to the graph; nothing is learned anew.

        Raises:
            SettingsError: If a pair is a node and itself.
            GraphFormatError: If a node is unknown.
        """
        ids = self.bare.dataset.graph.node_ids
        fresh = positions(pairs, ids)
        if bool((fresh[:, 0] == fresh[:, 1]).any()):
            loop = ids[int(fresh[fresh[:, 0] == fresh[:, 1]][0, 0])]
            raise SettingsError(f"The node {loop!r} cannot be linked to itself.", where="add_links")
        if len(fresh) == 0:
            return
        labels, ends = ids.to_arrow(), fresh.numpy()
        table = pa.table({name: labels.take(pa.array(ends[:, at])) for at, name in enumerate(("source", "target"))})
        path = self.workspace.added
        every = pa.concat_tables([pq.read_table(path), table]) if path.is_file() else table
        pq.write_table(every, path)
        work = self.bare.ranker.work
        self.bare = replace(self.bare, dataset=grown_dataset(work.dataset, work.model, Growth(links=path)))


def _remove(path: Path, owner: int) -> None:
    """Delete a folder, unless this process was forked from the one that made it."""
    if os.getpid() == owner:
        shutil.rmtree(path, ignore_errors=True)
