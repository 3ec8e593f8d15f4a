"""One file for each thing that a person does."""
