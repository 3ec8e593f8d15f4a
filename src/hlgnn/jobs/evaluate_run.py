"""The metrics of a finished run, with intervals, from its stored weights."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hlgnn.errors import SettingsError
from hlgnn.evaluation import bootstrap, metric
from hlgnn.jobs.train import METRICS, load_run
from hlgnn.processes import SINGLE, Processes
from hlgnn.progress import Progress, silent
from hlgnn.seeds import Seeds
from hlgnn.training.evaluate import link_scores

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.evaluation import Interval
    from hlgnn.jobs.run_folder import RunFolder


@dataclass(frozen=True)
class Evaluation:
    """One metric of one part.

    Attributes:
        part: ``valid`` or ``test``.
        metric: Its name.
        interval: The value, and the 95 % interval of the draw of links.
    """

    part: str
    metric: str
    interval: Interval


def evaluate_run(
    run: RunFolder,
    names: Sequence[str] = (),
    *,
    repeats: int = 200,
    offline: bool = False,
    processes: Processes = SINGLE,
    progress: Progress = silent,
) -> list[Evaluation]:
    """Load the weights, score the links of both parts again, and measure; several processes score a share each.

    Raises:
        SettingsError: If a metric means nothing for the number of negatives.
    """
    asked = [metric(name) for name in names]
    work = load_run(run, offline=offline, progress=progress)
    wanted = asked or [metric(name) for name in dict.fromkeys((work.metric, *METRICS))]
    found = []
    for part, graph, links in (
        ("valid", work.split.graph, work.split.valid),
        ("test", work.split.test_graph, work.split.test),
    ):
        positive, negative = link_scores(work.model, work.model.prepare(graph), links, processes)
        for each in wanted:
            if each.least_negatives > links.negatives_per_ranking:
                if asked and part == "test":
                    raise SettingsError(
                        f"{each.name} means nothing among {links.negatives_per_ranking} negatives.", where="--metric"
                    )
                continue
            generator = Seeds(run.settings.seed).generator(f"bootstrap/{part}/{each.name}")
            interval = bootstrap(each, positive, negative, generator=generator, repeats=repeats)
            found.append(Evaluation(part, each.name, interval))
            progress("Intervals", len(found), 2 * len(wanted))
    return found
