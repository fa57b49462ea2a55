# Every target sets up what it needs in .venv; nothing is installed outside it but Chromium and Node (see scripts/).
SHELL := /bin/bash
PYTHON ?= python3
# Two processes; tests of one file stay together, since many share what was built for them.
PYTEST ?= -n 2 --dist loadscope
VENV := .venv
BIN := $(VENV)/bin
NODE_TOOLS := tests/tools/node_modules/.package-lock.json
export PATH := $(CURDIR)/$(BIN):$(PATH):$(CURDIR)/tests/tools/debian/usr/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Material and MkDocs print advertisements for other tools at each build.
export NO_MKDOCS_2_WARNING := 1
export DISABLE_MKDOCS_2_WARNING := true
# The date that MkDocs writes into sitemap.xml: that of the commit, so that two builds of it are the same.
export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 0)

.PHONY: help setup site serve check lint test examples bench eval lock clean

help: ## List the targets.
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 12

$(VENV)/.tools: requirements.lock pyproject.toml
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed; set PYTHON=." >&2; exit 2; }
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --require-hashes --requirement requirements.lock
	$(BIN)/pip install --quiet --no-deps --no-build-isolation --editable .
	touch $@

$(VENV)/.examples: requirements-examples.lock $(VENV)/.tools
	$(BIN)/pip install --quiet --requirement requirements-examples.lock
	touch $@

$(NODE_TOOLS): tests/tools/package-lock.json
	scripts/node-tools
	touch $@

setup: $(VENV)/.tools ## Make the virtual environment with everything pinned.

site: $(VENV)/.tools ## Build the site into site/, strictly.
	$(BIN)/mkdocs build --strict

serve: $(VENV)/.tools ## Serve the site and rebuild it at each change.
	$(BIN)/mkdocs serve --strict $(SERVE)

check: $(VENV)/.tools ## Check every entry.
	$(BIN)/encyclopedia check

lint: $(VENV)/.tools ## Lint, format and type checks.
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

test: lint check $(VENV)/.examples $(NODE_TOOLS) ## Everything that must hold: lint, types, entries, site, pages in Chromium.
	scripts/log-tools
	CHROMIUM="$$(scripts/chromium)" $(BIN)/pytest $(PYTEST)

bench: $(VENV)/.tools ## Compare building, loading and diagnosing with plain MkDocs, plain YAML and ripgrep.
	$(BIN)/python -m benchmarks.load
	$(BIN)/python -m benchmarks.template_linear
	CHROMIUM="$$(scripts/chromium)" $(BIN)/python -m benchmarks.scan
	CHROMIUM="$$(scripts/chromium)" $(BIN)/python -m benchmarks.build

eval: $(VENV)/.tools ## Measure the diagnosis over every log in tests/corpora and write docs/evaluation.md.
	$(BIN)/python -m evaluation

lock: $(VENV)/.tools ## Renew requirements.lock from pyproject.toml.
	$(BIN)/pip install --quiet pip-tools
	$(BIN)/pip-compile --quiet --upgrade --all-extras --generate-hashes --allow-unsafe --no-header --no-annotate --strip-extras \
	  --no-emit-index-url --no-emit-find-links --no-emit-trusted-host --no-emit-options --output-file requirements.lock pyproject.toml

clean: ## Remove what was built; keep the environment.
	rm -rf site build dist
