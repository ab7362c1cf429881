# Every target works in a fresh clone: Python >= 3.11, pip, git and make are enough.
# Choose an interpreter with `make PYTHON=/path/to/python3.12 test`.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-print-directory

VENV := .venv
BIN := $(VENV)/bin
PYTHONS := $(or $(PYTHON),python3 python3.14 python3.13 python3.12 python3.11 python)
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
# Modules are compiled when they are loaded: most never are. What is compiled is kept, even where an
# image says that nothing is: tests start hundreds of processes.
unexport PYTHONDONTWRITEBYTECODE
INSTALL := $(PIP) install --no-compile
LOCKED := $(INSTALL) --require-hashes --requirement
OURSELVES := $(INSTALL) --no-deps --no-build-isolation --editable .
PYTEST_ARGS ?= --numprocesses=auto --dist=loadfile --no-loadscope-reorder
FUZZ_SECONDS ?= 60
MUTANTS := build/mutants

# What `make test` leaves out, by the markers in pyproject.toml; each test runs in one of the two.
LATER := environment or node or browser or manual or slow
RESULTS := build/tests
PYTEST = PATH="$$PATH:$(CURDIR)/$(BIN)" SITEMAPKIT_NEWEST=1 $(BIN)/python -m pytest $(PYTEST_ARGS)

.PHONY: help demo test test-rest test-all check ruff mypy pyright pytest matrix bench fuzz mutants lock clean

help: ## show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-9s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

demo: $(VENV)/demo.stamp ## build the three example sites and check their sitemaps
	@$(BIN)/python -u example-sites/demo.py

test: $(VENV)/test.stamp ## run check, and the tests to run before each commit, with warnings as errors
	@echo "Packages: requirements/dev.txt, locked as of $$(sed -n 's/^#.* DAY=//p' requirements/dev.txt)"
	@$(MAKE) --keep-going check pytest || { echo 'A checker or a test failed, see above: all were run' >&2; exit 1; }

pytest: $(VENV)/test.stamp
	@rm -f $(RESULTS)/test.xml
	@$(PYTEST) -m 'not ($(LATER))' --junit-xml=$(RESULTS)/test.xml

# One process more than cores: many of these tests wait for what they install or start.
test-rest: $(VENV)/test.stamp $(VENV)/browser.stamp ## run the tests that `make test` leaves out
	@rm -f $(RESULTS)/rest.xml
	@export PYTEST_XDIST_AUTO_NUM_WORKERS=$$(($$(getconf _NPROCESSORS_ONLN) + 1)); \
	$(PYTEST) -m '$(LATER)' --junit-xml=$(RESULTS)/rest.xml

test-all: ## run what CI runs: both
	@bash .ci/run

check: $(VENV)/test.stamp ## run ruff, mypy --strict and pyright strict, each to its end
	@$(MAKE) --keep-going --jobs=3 ruff mypy pyright

ruff: $(VENV)/test.stamp
	@status=0; \
	$(BIN)/ruff check --quiet || status=$$?; \
	$(BIN)/ruff format --check --quiet || status=$$?; \
	exit $$status

mypy: $(VENV)/test.stamp
	@$(BIN)/mypy --strict

pyright: $(VENV)/test.stamp
	@$(BIN)/pyright --pythonpath $(BIN)/python

matrix: $(VENV)/matrix.stamp ## run the tests on each Python and generator version found here (tox)
	@UV_PYTHON_DOWNLOADS=never $(BIN)/tox run

bench: $(VENV)/test.stamp ## run all benchmarks and write build/benchmarks.md
	@$(BIN)/python -m benchmarks $(BENCH_ARGS)

fuzz: $(VENV)/test.stamp ## run each reader on random input, for FUZZ_SECONDS=60 each
	@SITEMAPKIT_FUZZ=$(FUZZ_SECONDS) $(BIN)/python -m pytest $(PYTEST_ARGS) --dist=load tests/test_fuzz.py

# mutmut finds packages only in a folder `src`, so it works on a copy. It has made all mutants, and
# knows which tests reach them, before it finds that none is called `none`.
MUTMUT = cd $(MUTANTS) && PYTHONPATH=$(CURDIR)/$(MUTANTS)/mutants/src nice -n 19 $(CURDIR)/$(BIN)/mutmut
define DRAW_MUTANTS
$(MUTMUT) run none >made.log 2>&1 || [ -s mutants/mutmut-stats.json ] || { cat made.log; exit 1; }; \
$(CURDIR)/$(BIN)/mutmut results --all true | sed 's/^ *//; s/: .*//' | $(CURDIR)/$(BIN)/python -c \
  'import random, sys; print(*random.sample([*sys.stdin], int(sys.argv[1])), sep="")' $(MUTANTS_SAMPLE) >drawn
endef

mutants: $(VENV)/mutants.stamp ## put small errors into the code, MUTANTS_SAMPLE=300 or all (hours), to see that tests fail
	@rm -rf $(MUTANTS)
	@mkdir -p $(MUTANTS)/src $(MUTANTS)/mutants/src
	@cp -r core/* tools/* plugins/*/*_sitemapkit $(MUTANTS)/src
	@cp -r tests pyproject.toml $(MUTANTS)
	@$(if $(MUTANTS_SAMPLE),$(DRAW_MUTANTS))
	@$(MUTMUT) run $(if $(MUTANTS_SAMPLE),$$(cat drawn),$(MUTANTS_ARGS))
	@$(MUTMUT) results | sed '/: not checked$$/d'

# A release has a week in which others find what is wrong with it.
DAY = $(shell $(BIN)/python -c 'from datetime import date, timedelta; print(date.today() - timedelta(7))')
# What is installed beside the packages of the tests has the same version of what both need.
BESIDE := bulk consumers lock matrix mutants pip release
ALONE := extensions generators manual material properdocs
NPM := benchmarks $(wildcard tests/npm/*)

lock: $(VENV)/lock.stamp ## renew what is locked, from releases that are a week old, or of a day: DAY=2026-12-01
	@day=$(DAY); \
	lock() { \
	  $(BIN)/uv pip compile --quiet --upgrade --universal --python-version 3.11 --generate-hashes --no-annotate \
	    --exclude-newer "$$day" --custom-compile-command "make lock DAY=$$day" \
	    --group "$$1" --output-file "requirements/$$1.txt" "$${@:2}"; \
	}; \
	lock dev pyproject.toml --all-extras; \
	lock demo pyproject.toml --all-extras --group backend --constraint requirements/dev.txt; \
	for group in $(BESIDE); do lock $$group --constraint requirements/dev.txt; done; \
	for group in $(ALONE); do lock $$group pyproject.toml --group backend; done; \
	for folder in $(NPM); do \
	  rm -f $$folder/package-lock.json; \
	  $(BIN)/npm install --prefix $$folder --package-lock-only --omit-lockfile-registry-resolved --before="$$day" \
	    --legacy-peer-deps --no-audit --no-fund --loglevel=error >/dev/null; \
	done

clean: ## remove the environment, caches and built sites
	rm -rf $(VENV) .tox .cache .hypothesis .mypy_cache .pytest_cache .ruff_cache build dist
	rm -rf example-sites/mkdocs/site example-sites/pelican/output example-sites/sphinx/_build
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The environment is made once, and brought up to date when what it is made from changes.

$(VENV)/python.stamp: requirements/pip.txt
	@for python in $(PYTHONS); do \
	  if "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then break; fi; \
	  python=; \
	done; \
	if [ -z "$$python" ]; then echo 'No Python >= 3.11 among: $(PYTHONS)' >&2; exit 1; fi; \
	echo "Making $(VENV) with $$("$$python" --version)"; \
	"$$python" -m venv --clear --without-pip $(VENV); \
	"$$python" -m pip --quiet --disable-pip-version-check --python $(BIN)/python \
	  install --require-hashes --requirement requirements/pip.txt
	@touch $@

$(VENV)/demo.stamp: $(VENV)/python.stamp requirements/demo.txt pyproject.toml plugins/pelican/namespace_alias.py
	@echo 'Installing sitemapkit, the three generators and two readers of sitemaps'
	@$(LOCKED) requirements/demo.txt
	@$(OURSELVES)
	@touch $@

$(VENV)/test.stamp: $(VENV)/python.stamp requirements/dev.txt pyproject.toml plugins/pelican/namespace_alias.py
	@echo 'Installing sitemapkit, the three generators and the test tools'
	@$(LOCKED) requirements/dev.txt
	@$(OURSELVES)
	@touch $@

$(VENV)/mutants.stamp: $(VENV)/test.stamp requirements/mutants.txt
	@$(LOCKED) requirements/mutants.txt
	@touch $@

# Tests in a browser and with Jekyll are skipped where these are neither there nor installed without a question.
$(VENV)/browser.stamp: $(VENV)/python.stamp
	@missing=; \
	command -v chromium chromium-browser google-chrome >/dev/null || missing=chromium; \
	command -v jekyll >/dev/null || missing="$$missing jekyll ruby-jekyll-seo-tag ruby-jekyll-sitemap"; \
	if [ -n "$$missing" ] && command -v apt-get >/dev/null; then \
	  sudo=; if [ "$$(id -u)" -ne 0 ]; then sudo='sudo -n'; fi; \
	  if $$sudo true 2>/dev/null; then \
	    echo "Installing $$missing for the tests"; \
	    $$sudo apt-get -qq update \
	      && $$sudo env DEBIAN_FRONTEND=noninteractive apt-get -qq install --no-install-recommends $$missing >/dev/null \
	      || echo 'They cannot be installed; these tests will be skipped'; \
	  fi; \
	fi
	@touch $@

$(VENV)/matrix.stamp: $(VENV)/python.stamp requirements/matrix.txt
	@$(LOCKED) requirements/matrix.txt
	@touch $@

$(VENV)/lock.stamp: $(VENV)/python.stamp requirements/lock.txt
	@$(LOCKED) requirements/lock.txt
	@touch $@
