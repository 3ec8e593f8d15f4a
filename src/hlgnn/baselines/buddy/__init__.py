"""BUDDY: counts of the nodes around a pair, estimated from sketches, beside propagated features."""

from hlgnn.baselines.buddy.model import CARD, Buddy
from hlgnn.baselines.buddy.settings import BuddySettings

__all__ = ["CARD", "Buddy", "BuddySettings"]
