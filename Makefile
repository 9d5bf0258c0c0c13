# tutti: `make build`, `make demo`, `make test`.  Needs Python 3.10 or newer, g++ 12 or newer and make; no root.
# Everything it fetches is pinned (requirements/, tools/fetch.py) and stays in .venv and build.
#
#   make build TUTTI_MPICC=/path/to/mpicc    for the site's own MPI: no MPI is fetched

PYTHON ?= python3
JOBS ?= $(shell nproc)
VENV := .venv
BIN := $(VENV)/bin
BUILD := build/release
export PATH := $(CURDIR)/$(BIN):$(PATH)
PIP := $(BIN)/python -m pip --disable-pip-version-check -q
CONFIGURE := cmake --preset release --log-level=WARNING -DPython_EXECUTABLE=$(CURDIR)/$(BIN)/python \
  $(if $(TUTTI_MPICC),-DTUTTI_MPICC=$(TUTTI_MPICC))
# What of the package is newer than its installation.
STALE = find pyproject.toml $(BUILD) \( -name '*.so' -o -name tutti-bench -o -name pyproject.toml \) \
  -newer $(VENV)/.installed 2>/dev/null

.PHONY: build product faults stress protocol demo test test-all test-deps docs lint format clean help
.DEFAULT_GOAL := help

help:  ## this list
	@sed -n 's/^\([a-z-]*\):.*##/\1:/p' Makefile | column -t -s:

# $(call make_targets,all): configured, built, and installed where the package is older.
define make_targets
	@if [ ! -f $(BUILD)/build.ninja ] || [ -n "$(TUTTI_MPICC)" ]; then $(CONFIGURE); fi
	@cmake --build $(BUILD) -j $(JOBS) --target $(1)
	@if [ ! -f $(VENV)/.installed ] || [ -n "$$($(STALE))" ]; then \
	  echo "installing the package into $(VENV)"; \
	  $(PIP) install --no-build-isolation --no-deps -e . && touch $(VENV)/.installed; fi
endef

build: $(VENV)/.ready  ## build everything, so that .venv/bin/tutti is the command
	$(call make_targets,all)
	@echo "ready: $(BIN)/tutti --help"

product: $(VENV)/.ready  ## what users get, and none of the tests
	$(call make_targets,product)

demo: product  ## measure this machine: native beside tutti, and report.html
	@$(BIN)/python -m tutti.demo

test: build $(VENV)/.ready-for-tests  ## the tests whose turn it is (tests/README.md); ends with `N passed, N failed, N skipped`
	@$(BIN)/python tests/run.py $(SUITES)

test-all: build $(VENV)/.ready-for-tests  ## every test
	@$(BIN)/python tests/run.py --all $(SUITES)

faults: build  ## plant mistakes in all schedules, and list which the verifier finds
	@$(BUILD)/tests/faults/seeded_faults $(EACH)

stress: build  ## ten million mixed collectives on the node engine, then with requests, checked (CALLS=N)
	@$(BUILD)/tests/shm/node_stress $(CALLS)
	@build/mpi/mpich/bin/mpicc -O2 tests/mpi/cases/requests_mixed.c -o $(BUILD)/tests/requests_mixed
	@TUTTI_NODE_MEMORY=512M $(BIN)/tutti run -q -n 3 --mpi mpich $(BUILD)/tests/requests_mixed $(or $(CALLS),10000000)

protocol: build  ## every interleaving of the node engine's protocol, and planted faults (a quarter of an hour)
	@cmake --build $(BUILD) -j $(JOBS) --target node_interleavings_4
	@$(BIN)/python tests/shm/protocol.py --full

test-deps:  ## as root, on Debian: the packages that further tests need
	@tools/test-deps.sh

docs: build  ## write docs/algorithms anew, from the catalogue
	@$(BIN)/python tools/algorithm_pages.py

lint: build $(VENV)/.ready-for-tests  ## clang-format, clang-tidy and ruff, changing nothing
	@$(BIN)/python tools/lint.py

format: $(VENV)/.ready-for-tests  ## lay the sources out
	@$(BIN)/python tools/lint.py --fix

clean:  ## remove what was built, and keep what was fetched
	rm -rf $(BUILD) build/debug build/asan build/tsan $(VENV)/.installed

$(VENV)/bin/python:
	@$(PYTHON) tools/venv.py $(VENV)

$(VENV)/.ready: requirements/build.txt requirements/run.txt | $(VENV)/bin/python
	@echo "installing what the build needs into $(VENV) (once)"
	@$(PIP) install -r requirements/build.txt -r requirements/run.txt
	@touch $@

$(VENV)/.ready-for-tests: requirements/test.txt $(VENV)/.ready
	@echo "installing what the tests need into $(VENV) (once)"
	@$(PIP) install -r requirements/test.txt
	@touch $@
