"""A page about a trained model that a person can judge it by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hlgnn.data import PROTOCOLS
from hlgnn.formulation import readable
from hlgnn.settings import write_toml

if TYPE_CHECKING:
    from hlgnn.jobs.run_settings import RunSettings

PAGE = """# {title}

| | |
|---|---|
| data set | {dataset} ({nodes} nodes, {links} links, {features} features) |
| protocol | {protocol}: {description} |
| seed | {seed} |
| {metric}, test | **{test}** |
| {metric}, validation | {valid} |
| kept epoch | {best_epoch} of {epochs}, the best {selected_by} on validation links |
| parameters | {parameters} |
| training | {seconds:.0f} s |
| memory | {memory} |

## All metrics

| metric | validation | test |
|---|---|---|
{rows}

One seed is one draw: the same settings under other seeds tell how far the figure moves (`hlgnn train --runs 10`).

## What it may be used for

To rank pairs of nodes of this graph, or of a graph with the same features, by how likely a link is missing between
them. The scores are no probabilities. Links that differ in kind from those of the training set were never seen.

## Settings

```toml
{settings}```
"""


def model_card(settings: RunSettings, result: dict[str, Any]) -> str:
    """The page in Markdown."""
    metric, print_ = result["metric"], _percent
    rows = "\n".join(
        f"| {name} | {print_(result['valid'].get(name))} | {print_(value)} |" for name, value in result["test"].items()
    )
    return PAGE.format(
        title=f"{settings.model_name} on {result['dataset']}",
        dataset=result["dataset"],
        **result["fingerprint"],
        protocol=settings.protocol,
        description=PROTOCOLS[settings.protocol].description,
        seed=settings.seed,
        metric=metric,
        test=print_(result["test"].get(metric)),
        valid=print_(result["valid"].get(metric)),
        best_epoch=result["best_epoch"],
        epochs=result["epochs"],
        selected_by=result["selected_by"],
        parameters=result["parameters"],
        seconds=result["seconds"],
        memory=_memory(result),
        rows=rows,
        settings=write_toml(settings),
    )


def _memory(result: dict[str, Any]) -> str:
    plan = result.get("memory_plan")
    beforehand = f", {readable(plan['bytes'])} by the estimate of the plan" if plan else ""
    return f"at most {readable(result['peak_bytes'])}{beforehand}" if "peak_bytes" in result else "–"


def _percent(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.2f}"
