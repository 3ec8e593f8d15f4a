"""HL-GNN in the manner of scikit-learn: fit a graph, ask for missing links."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from hlgnn.errors import RunError, SettingsError
from hlgnn.estimators.fitted_run import FittedRun
from hlgnn.estimators.graph_input import check_labels
from hlgnn.estimators.id_arrays import positions
from hlgnn.estimators.recommendations import filters_of, frame_of, recommend
from hlgnn.estimators.saved_run import MANIFEST, load_run_folder, save_run
from hlgnn.estimators.train_input import train_input
from hlgnn.evaluation import auc
from hlgnn.interpret import explain_link
from hlgnn.jobs.explain_pair import PairExplanation
from hlgnn.jobs.run_folder import RunFolder
from hlgnn.jobs.study.findings import inspect_graph
from hlgnn.jobs.study.ranker import LEARNED
from hlgnn.memory_size import memory_bytes
from hlgnn.progress import silent
from hlgnn.report import write_report

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy.typing as npt

    from hlgnn.jobs.run_settings import RunSettings
    from hlgnn.jobs.study.findings import Findings


class LinkPredictor(ClassifierMixin, BaseEstimator):
    """Learns from the links of a graph, and says which pairs are missing links.

    Training goes through the code of ``hlgnn train``: some links are held out to choose the best epoch, to test, and
    to learn what a score is worth. Nodes are named by the ids of the user everywhere.

    Args:
        preset: The settings to start from: ``"default"`` fits the size of the graph, or a TOML file.
        protocol: How links are held out, by name; by default what the preset says, or by time if times are given.
        seed: What the split, the first weights and the batches are drawn from.
        settings: What is set otherwise, such as ``{"train.epochs": 50, "model.propagation.depth": 4}``.
        automatic: Whether the graph is trained as the data set that it is most like, which takes minutes, and the best
            heuristic is used where the model is not clearly better than it.
        memory: How much may be used at once for ranking and heuristics, such as ``"2GB"``.
        verbose: Whether ``fit`` tells on standard error what it finds and how training goes.

    Attributes:
        graph_: The graph as it is now, nodes in ascending order of their ids.
        split_: What was held out.
        model_: The trained model.
        result_: The run in numbers: ``result_["test"]["auc"]``, ``result_["valid"]["hits@10"]`` and others.
        findings_: What is in the graph, in sentences.
        settings_: All settings.
        used_: ``"learned"``, or the heuristic that is used in place of the model.
        study_: The comparison with every heuristic, calibration and best links; made when first asked for.
        gate_: Whether the model is worth having beside the best heuristic; part of the study.
        classes_: ``[0, 1]``.
        n_features_in_: 2, the ends of a pair.

    Example:
        >>> import networkx
        >>> graph = networkx.planted_partition_graph(8, 12, 0.6, 0.02, seed=1)
        >>> predictor = LinkPredictor(settings={"train.epochs": 2}).fit(graph)
        >>> predictor.predict_proba([[0, 50], [0, 11]]).shape
        (2, 2)
        >>> list(predictor.recommend(3, node=7)["source"])
        [7, 7, 7]

        For scikit-learn's tools X is pairs of ids and y says which are links:

        >>> pairs = np.array([[0, 1], [1, 2], [2, 0], [3, 4], [4, 5], [5, 3], [0, 3], [0, 4], [1, 5], [2, 5]] * 4)
        >>> pairs = pairs + 6 * np.repeat(np.arange(4), 10)[:, None]  # four copies of two triangles
        >>> labels = np.array([1, 1, 1, 1, 1, 1, 1, 0, 0, 0] * 4)
        >>> LinkPredictor(settings={"train.epochs": 1}).fit(pairs, labels).graph_
        Graph(num_nodes=24, num_links=28)
    """

    _fitted: FittedRun

    def __init__(
        self,
        *,
        preset: str = "default",
        protocol: str | None = None,
        seed: int = 0,
        settings: Mapping[str, Any] | None = None,
        automatic: bool = False,
        memory: str | int = "2GB",
        verbose: bool = False,
    ) -> None:
        self.preset = preset
        self.protocol = protocol
        self.seed = seed
        self.settings = settings
        self.automatic = automatic
        self.memory = memory
        self.verbose = verbose

    def fit(
        self,
        graph: Any,
        y: Any = None,
        *,
        features: Any = None,
        nodes: Sequence[str | int] | None = None,
        columns: Mapping[str, str] | None = None,
    ) -> LinkPredictor:
        """Train on a graph; or, with ``y``, on those of some pairs that are links.

        Args:
            graph: The path of a table of edges or the name of a data set; a ``Graph`` of ours, networkx or PyG; a
                sparse adjacency of scipy; a frame of pandas, polars or pyarrow with an edge in each row, whose columns
                are found as in files; or pairs of ids, (E, 2). Equal graphs give equal results.
            y: 1 for each pair that is a link, and 0 for one that is none, (E,). The pairs with a 1 are the graph. Of
                those with a 0 the nodes are taken, and nothing else: negatives are drawn in training.
            features: A path; a frame with a column of ids; an array, tensor or sparse matrix with rows in the order of
                ``nodes``, or of the nodes of the graph, or for pairs and frames in ascending order of the ids; or the
                name of a node attribute of a networkx graph.
            nodes: The ids of all nodes, if some may be in no pair. Cross-validation needs them: a node whose pairs are
                all in the held-out fold is unknown otherwise.
            columns: The names of the columns ``source``, ``target``, ``weight`` and ``time`` of a table or frame.

        Raises:
            GraphFormatError: If something is wrong with the graph.
            SettingsError: If a setting is illegal, or labels or features do not fit.
            SplitError: If there are too few links to hold some out.
        """
        given = {"graph": graph, "labels": y, "features": features, "nodes": nodes, "columns": columns}
        trained = train_input(given, **self.get_params(deep=False))
        self._take(trained.run, trained.settings, trained.findings)
        return self

    def decision_function(self, pairs: Any) -> npt.NDArray[np.float64]:
        """The score of each pair of ids, higher for likelier links.  (P, 2) -> (P,)

        Raises:
            NotFittedError: Before ``fit``.
            GraphFormatError: If a node is unknown; the message names it.
            SettingsError: If these are no pairs.
        """
        check_is_fitted(self, "graph_")
        return self._fitted.scores(positions(pairs, self.graph_.node_ids)).numpy()

    def predict_proba(self, pairs: Any) -> npt.NDArray[np.float64]:
        """The chance that each pair is no link, and that it is one.  (P, 2) -> (P, 2)

        This is the chance of a pair among *all* pairs that are no known links, if as many links are missing as were
        held out for the test: calibrated on held-out links, and small for most pairs. In a balanced sample of links
        and others, links are far more frequent than these numbers say.
        """
        scores = torch.from_numpy(self.decision_function(pairs))
        chance = self._fitted.opened.chances(scores).numpy()  # (P,)
        return np.stack([1 - chance, chance], axis=1)

    def predict(self, pairs: Any) -> npt.NDArray[np.int64]:
        """1 for each pair that is a link with a chance of at least one half, else 0.  (P, 2) -> (P,)

        Missing links are rare among all pairs, so that few pairs or none get a 1; to choose links to look at, use
        ``recommend``.
        """
        return (self.predict_proba(pairs)[:, 1] >= 0.5).astype(np.int64)

    def score(self, pairs: Any, y: Any) -> float:
        """The area under the ROC curve of pairs labelled 0 and 1: the chance that a link scores above another pair.

        Raises:
            SettingsError: If labels are not 0 and 1, or all the same.
        """
        scores = torch.from_numpy(self.decision_function(pairs))
        links = torch.from_numpy(check_labels(y, len(scores)) == 1)
        if bool(links.all()) or not bool(links.any()):
            raise SettingsError("All labels are the same.", where="y", hint="Give links and pairs that are none.")
        return auc(scores[links], scores[~links])

    def recommend(
        self,
        k: int = 10,
        *,
        node: str | int | None = None,
        nodes: Sequence[str | int] | None = None,
        bipartite: bool | None = None,
        kinds: Mapping[Any, str] | str | Path | None = None,
        between: tuple[str, str] | None = None,
        exclude: Any = None,
        minimum: float | None = None,
        approximate: bool | None = None,
    ) -> Any:
        """The best missing links, as a pandas frame with the columns source, target, score and probability.

        Where pandas is not installed it is a list of dictionaries. What is to be known about the list is in
        ``attrs["notes"]`` of the frame.

        Args:
            k: How many; with ``node`` or ``nodes``, how many for each.
            node: Only links of this one.
            nodes: Only links of these, one after the other.
            bipartite: Whether only pairs across the two sides of a bipartite graph count; if not said, that is so
                if the graph is one.
            kinds: The kind of each node, or a table of them: only pairs of different kinds.
            between: Two kinds: only pairs of these.
            exclude: Pairs of ids, or a table of them, that are left out.
            minimum: The least score.
            approximate: Whether only proposed pairs are scored; by default if all would take too long.
        """
        check_is_fitted(self, "graph_")
        if node is not None and nodes is not None:
            raise SettingsError("Give one node or several.", where="node, nodes", hint="Leave out one of them.")
        wanted = nodes if node is None else [node]
        with filters_of(bipartite=bipartite, kinds=kinds, between=between, exclude=exclude, minimum=minimum) as filters:
            opened = self._fitted.opened
            return frame_of(recommend(opened, k, wanted, filters, approximate=approximate, progress=silent))

    def explain(self, source: str | int, target: str | int, *, changes: int = 30) -> PairExplanation:
        """Take the score of a pair apart: orders, features, paths and the links that matter most; see ``.text()``.

        Args:
            source: The one node.
            target: The other node.
            changes: How many changes of the graph are tried.

        Raises:
            SettingsError: If a heuristic is used in place of the model, or the model is not linear.
        """
        check_is_fitted(self, "graph_")
        if self.used_ != LEARNED:
            raise SettingsError(
                f"The heuristic {self.used_} is used in place of the model, and is its own explanation.",
                where="explain",
                hint="Fit with automatic=False to explain the model.",
            )
        (pair,) = positions([[source, target]], self.graph_.node_ids).tolist()
        found = explain_link(self.model_, self.graph_, pair[0], pair[1], changes=changes)
        return PairExplanation(found, self.graph_.node_ids, None)

    def report(self, path: str | Path) -> Path:
        """Write the study of the run as one page of HTML, about the graph that was trained on.

        Raises:
            OutputError: If it cannot be written.
        """
        write_report(self.study_, Path(path))
        return Path(path)

    def add_links(self, pairs: Any) -> LinkPredictor:
        """Add links between known nodes to the graph; scores follow, and nothing is trained anew.

        Raises:
            GraphFormatError: If a node is unknown; the message names it.
            SettingsError: If a pair is a node and itself.
        """
        check_is_fitted(self, "graph_")
        self._fitted.add(pairs)
        self.graph_ = self._fitted.bare.dataset.graph
        return self

    def save(self, folder: str | Path) -> None:
        """Write the run, the graph and the parameters into a new folder, with the checksum of every file.

        ``hlgnn predict FOLDER`` reads it too, as long as it is not moved; ``load`` reads it anywhere. Checksums find
        damage and changes by hand, but who writes a folder anew writes its checksums too: they are no signature.

        Raises:
            RunError: If something is there already.
        """
        check_is_fitted(self, "graph_")
        save_run(self._fitted.workspace, Path(folder), self.get_params(deep=False))

    @classmethod
    def load(cls, folder: str | Path) -> LinkPredictor:
        """What ``save`` wrote, or a finished run of ``hlgnn train``; nothing in the folder is executed or changed.

        Raises:
            RunError: If it is neither, or a file is not what was saved.
            CheckpointError: If the weights are damaged.
        """
        workspace, parameters = load_run_folder(Path(folder))
        settings = RunFolder.open(workspace.run).settings
        told = {"preset": settings.preset, "protocol": settings.protocol, "seed": settings.seed}
        if parameters is not None and not set(parameters) <= set(cls._get_param_names()):
            raise RunError("It names parameters that there are not.", where=str(Path(folder) / MANIFEST))
        loaded = cls(**(told if parameters is None else parameters))
        run = FittedRun(workspace, memory=memory_bytes(loaded.memory))
        loaded._take(run, settings, inspect_graph(run.bare.ranker.work.dataset.graph))
        return loaded

    @property
    def study_(self) -> dict[str, Any]:
        """The comparison with every heuristic, calibration, and the best links of the graph of training."""
        check_is_fitted(self, "graph_")
        return self._fitted.study(automatic=self.used_ != LEARNED)

    @property
    def gate_(self) -> dict[str, Any] | None:
        """Whether the model is worth having beside the best heuristic, with a sentence; ``None`` without any."""
        found: dict[str, Any] | None = self.study_["gate"]
        return found

    def _take(self, run: FittedRun, settings: RunSettings, findings: Findings) -> None:
        opened, work = run.bare, run.bare.ranker.work
        self._fitted = run
        self.graph_, self.split_, self.model_ = opened.dataset.graph, work.split, work.model
        self.result_, self.settings_, self.findings_ = run.result, settings, findings
        self.used_ = opened.ranker.used
        self.classes_, self.n_features_in_ = np.array([0, 1]), 2

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = False
        tags.classifier_tags.multi_class = False
        tags.input_tags.string = True
        return tags

    def __getstate__(self) -> dict[str, Any]:
        if "_fitted" in self.__dict__:
            raise SettingsError(
                "A fitted LinkPredictor is not pickled or copied.",
                where="LinkPredictor",
                hint="Use save(folder) and LinkPredictor.load(folder).",
            )
        state: dict[str, Any] = super().__getstate__()
        return state
