# The one door: `make run` shows the demo, `make test` the truth.
PYTHON ?= python3
BENCH_DATA ?= ../shared/bench
BIN = .venv/bin
INSTALLED = .venv/.installed

.PHONY: run install test soak check bench docs clean

run: $(INSTALLED)  ## see what Recollect does, in a throwaway home
	@$(BIN)/recollect demo

install:  ## for you alone, by uv, pipx or in an environment of its own; then `recollect setup`
	@sh scripts/install.sh

# Each process collects all tests by itself, so more of them cost more than they bring; what pytest
# made of the assertions is kept for the next run, also where bytecode is not written otherwise.
test: $(INSTALLED)  ## the whole suite
	PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest -n 3 --dist loadgroup

soak: $(INSTALLED)  ## the tests that are repeated, as often as they can bear
	RECOLLECT_SOAK=1 $(BIN)/python -m pytest tests/journeys/test_many_sessions.py tests/integration/test_killed_at_every_step.py
	RECOLLECT_SOAK=1 $(BIN)/python -m pytest -n 4 -m hypothesis tests/unit

check: $(INSTALLED)  ## lint, types, architecture
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m pytest -q tests/test_architecture.py

bench: $(INSTALLED)  ## speed and quality against the promises; BENCH="--only locomo" for a part
	$(BIN)/python -m benchmarks --data $(BENCH_DATA) $(BENCH)

docs: $(INSTALLED)  ## write the generated reference pages anew
	$(BIN)/python -m scripts.grammar
	$(BIN)/python -m scripts.reference docs/reference

$(INSTALLED): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit("Recollect needs Python 3.11 or newer; try  make PYTHON=python3.12") if sys.version_info < (3, 11) else None'
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check "pip>=25.1"
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt -e . --group dev
	@touch $@

clean:
	rm -rf .venv .mypy_cache .pytest_cache .ruff_cache .hypothesis
