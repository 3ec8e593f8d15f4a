"""Vectors of nodes from random walks: what Node2vec and DeepWalk have in common."""
