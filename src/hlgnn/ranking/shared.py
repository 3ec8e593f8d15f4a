"""The best pairs of several processes, each of which has looked at some of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from hlgnn.formulation.ranked import RankedLinks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hlgnn.processes import Group


def best_of_all(found: RankedLinks, k: int, group: Group) -> RankedLinks:
    """The best k of what everyone has found, for everyone; scores do not depend on who has computed them."""
    if group.alone:
        return found
    pairs, scores = group.gather_rows(found.pairs, "links"), group.gather_rows(found.scores, "links")
    return RankedLinks.best(pairs, scores, k)


def lists_of_all(found: Sequence[RankedLinks], group: Group) -> list[RankedLinks]:
    """Everyone's lists one after the other, for everyone."""
    if group.alone:
        return list(found)
    sizes = group.gather_rows(torch.tensor([len(each) for each in found], dtype=torch.int64), "links").tolist()
    empty = torch.empty(0, 2, dtype=torch.int64), torch.empty(0, dtype=torch.float64)
    pairs = group.gather_rows(torch.cat([empty[0], *(each.pairs for each in found)]), "links")
    scores = group.gather_rows(torch.cat([empty[1], *(each.scores for each in found)]), "links")
    return [RankedLinks(*each) for each in zip(pairs.split(sizes), scores.split(sizes), strict=True)]
