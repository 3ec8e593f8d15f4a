"""NBFNet: the Bellman–Ford recursion from one end of a pair to the other, with learned messages and aggregation."""
