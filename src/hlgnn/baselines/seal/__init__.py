"""SEAL: a link is judged by the subgraph that encloses it, with nodes labelled by their distances to its ends."""
