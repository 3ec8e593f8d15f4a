"""Several processes as one: who holds which pairs and columns, and what they tell each other."""

from hlgnn.processes.group import Group
from hlgnn.processes.join import joined
from hlgnn.processes.processes import SHARDS, SINGLE, Processes, Shard
from hlgnn.processes.traffic import Traffic

__all__ = ["SHARDS", "SINGLE", "Group", "Processes", "Shard", "Traffic", "joined"]
