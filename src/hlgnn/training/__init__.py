"""Learning from links."""

from hlgnn.training.samplers import SAMPLERS, Sampler

__all__ = ["SAMPLERS", "Sampler"]
