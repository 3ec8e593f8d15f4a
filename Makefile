# Every target makes or refreshes .venv itself. PYTHON chooses the interpreter it is made with.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check
INSTALL := $(PIP) install --quiet --constraint constraints.txt

.PHONY: help demo test check docs peers format clean

help:
	@echo "make demo    the tour on the embedded data set"
	@echo "make test    all tests; with HLGNN_DATA also those on the official data"
	@echo "make check   format, lint, types, layers, documentation"
	@echo "make docs    the documentation in site/"
	@echo "make peers   the packages that benchmarks/ measures beside us"

demo: $(VENV)/core.stamp
	@$(BIN)/hlgnn demo

test: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n auto

check: $(VENV)/dev.stamp
	$(BIN)/ruff format --check
	$(BIN)/ruff check
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python scripts/make_reference.py --check
	$(BIN)/python scripts/comparison_page.py --check
	$(BIN)/python scripts/reproduction_page.py --check
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet

docs: $(VENV)/dev.stamp
	$(BIN)/python scripts/make_reference.py
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict

# node2vec asks for numpy below 2 and works with later ones; what else it needs comes with the others.
peers: $(VENV)/dev.stamp
	$(INSTALL) --editable ".[bench]"
	$(INSTALL) --no-deps "node2vec>=0.5"

format: $(VENV)/dev.stamp
	$(BIN)/ruff format
	$(BIN)/ruff check --fix

clean:
	rm -rf $(VENV) site dist

$(VENV)/core.stamp: pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
		{ echo "hlgnn needs Python 3.11 or newer: make $(MAKECMDGOALS) PYTHON=python3.11" >&2; exit 1; }
	@echo "Installing into $(VENV), once ..." >&2
	@$(PYTHON) -m venv $(VENV)
	@$(INSTALL) --editable .
	@touch $@

$(VENV)/dev.stamp: $(VENV)/core.stamp
	@$(INSTALL) --editable ".[dev]"
	@touch $@
