# Everything here works on a fresh machine with make and Python 3.11 or newer.

SHELL := /bin/bash
BIN := .venv/bin
READY := .venv/.ready

# The first interpreter that really runs and is new enough; `make PYTHON=... TARGET` chooses another.
PYTHON ?= $(firstword $(foreach name,python3.11 python3.12 python3.13 python3.14 python3,$(shell $(name) -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $(name))))

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo test check docs docs-check golden bench fuzz fuzz-k8s vectors-iam vectors-k8s kubelab clean

help: ## this list
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

# Made once; made again when the dependencies change. An editable install compiles nothing, so the sources are compiled here: the first scan is as quick as the next.
$(READY): pyproject.toml constraints.txt
	@test -n "$(PYTHON)" || test -x $(BIN)/python || { echo "partywall needs Python 3.11 or newer; put one on PATH or say make PYTHON=/path/to/python3" >&2; exit 2; }
	@test -x $(BIN)/python || { echo "making .venv with $(PYTHON)"; $(PYTHON) -m venv .venv; }
	@echo "installing partywall and its pinned tools into .venv"
	@$(BIN)/python -m pip install --quiet --constraint constraints.txt --editable '.[dev]'
	@$(BIN)/python -m compileall -q scanner rules reports
	@touch $@

demo: $(READY) ## scan the built-in estate; HTML, SARIF and JSON go to out/
	@mkdir -p out
	@$(BIN)/partywall demo -o html=out/harbor.html -o sarif=out/harbor.sarif -o json=out/harbor.json; \
	code=$$?; \
	if [ $$code -ne 1 ]; then echo "the demo estate has findings, so its scan should end with 1; it ended with $$code" >&2; exit 1; fi
	@echo "written: out/harbor.html out/harbor.sarif out/harbor.json"

check: $(READY) ## format, lint, types, import directions, dead code, spelling, generated pages
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports --cache-dir .cache/import-linter
	$(BIN)/vulture
	$(BIN)/typos
	@$(MAKE) --no-print-directory docs-check

test: check ## check, then every test with warnings as errors, one process a core
	$(BIN)/pytest -W error -n auto --dist loadfile

docs: $(READY) ## write the rule pages from the rules
	$(BIN)/partywall rules docs --write rules/docs

docs-check: $(READY) ## fail when a rule page is stale
	$(BIN)/partywall rules docs --check rules/docs

golden: $(READY) ## write the golden reports again; read the diff as the review
	$(BIN)/python tests/golden.py --write

bench: $(READY) ## run every benchmark; fail where a goal is missed
	@failed=0; \
	for program in benchmarks/*.py; do echo "# $$program"; $(BIN)/python $$program --check || failed=1; done; \
	exit $$failed

fuzz: $(READY) ## the property tests, longer and with new examples
	HYPOTHESIS_PROFILE=fuzz PARTYWALL_IAM_JUDGED=1000000 PARTYWALL_IAM_FIRST=$$((RANDOM * 1000000)) $(BIN)/pytest tests/properties

# Published cases and recorded answers do not travel with the repository; VECTORS is another folder of the same layout.
vectors-iam: $(READY) ## our IAM answers against published cases; VECTORS=DIR
	$(BIN)/python -m tests.vectors.iam_vectors $(or $(VECTORS),../shared/vectors/iam)

fuzz-k8s: $(READY) ## new random worlds and pods against a real API server, until the first difference
	$(BIN)/python -m tests.services.fuzz_k8s

kubelab: $(READY) ## build that API server once, into ~/.cache/partywall (needs Go; nine minutes)
	$(BIN)/python -m tests.services.build_kubelab

vectors-k8s: $(READY) ## our answers against those that real Kubernetes programs gave; VECTORS=DIR
	$(BIN)/python -m tests.vectors.k8s_vectors $(or $(VECTORS),../shared/vectors/k8s)

clean: ## remove what these targets wrote, but for .venv
	rm -rf out dist build .cache .hypothesis .ruff_cache .import_linter_cache
	find . -path ./.venv -prune -o -name __pycache__ -type d -exec rm -rf {} +
