"""What metrics are called, and what they mean in plain words."""

from __future__ import annotations

MEANINGS = {
    "mrr": "MRR is the mean of 1 / rank, where each held-out link is ranked among its negatives; "
    "1 means that every link comes first.",
    "auc": "AUC is the chance that a held-out link scores higher than a negative; 0.5 is a coin toss, 1 is perfect.",
    "ap": "AP, the average precision, is the mean precision down the ranking at each held-out link; 1 is perfect.",
}


def metric_title(name: str) -> str:
    """The name as it is printed.

    Example:
        >>> metric_title("hits@100"), metric_title("mrr")
        ('Hits@100', 'MRR')
    """
    return f"H{name[1:]}" if name.lower().startswith("hits@") else name.upper()


def metric_meaning(name: str) -> str:
    """A sentence that says what a value means; empty for metrics that are not known here.

    Example:
        >>> metric_meaning("hits@20")
        'Hits@20 is the share of held-out links that fewer than 20 of the negatives outscore; 1 is perfect.'
    """
    lower = name.lower()
    best = lower.removeprefix("hits@")
    if best != lower and best.isdecimal():
        fewer = f"fewer than {best} of the negatives"
        return f"Hits@{best} is the share of held-out links that {fewer} outscore; 1 is perfect."
    return MEANINGS.get(lower, "")
