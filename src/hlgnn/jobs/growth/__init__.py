"""A model of what training takes, in time, memory and communication, for graphs of any size."""
