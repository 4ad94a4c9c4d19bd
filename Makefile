# Two commands do all the set-up themselves: `make demo` and `make test`. Each can be run again, and is quick then.
SHELL := /bin/bash
AURICLE := .build/release/auricle

.PHONY: help setup build demo test sanitize soak bench docs lint format clean

help:  ## Show this list
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | column -t -s $$'\t'

setup:  ## Install what is missing, fetch the engine and the models, prepare the recogniser
	@scripts/setup.sh build

build: setup  ## Make the release build, .build/release/auricle
	@swift build -c release --product auricle

demo: build  ## Transcribe a real recording live on the terminal
	@scripts/demo.sh $(AURICLE)

test: build  ## Run every test, also under the sanitizers, and build the packages that depend on this one
	@scripts/test.sh

sanitize: setup  ## Run only the sanitizers
	@scripts/sanitize.sh

soak: build  ## Run the heavy counts: hours of audio, hundreds of thousands of inputs (about an hour)
	@scripts/soak.sh

bench: build  ## Measure beside a peer; QUICK=1 for a short form
	@scripts/setup.sh bench
	@swift build -c release --product auricle-bench
	@.deps/venv/bin/python scripts/bench/run.py $(if $(QUICK),--quick)

docs:  ## Build the documentation of all library targets, warnings as errors
	@scripts/docs.sh

lint:  ## Check formatting and style
	@swift format lint --strict --parallel --recursive Sources Tests Package.swift

format:  ## Format all sources in place
	@swift format format --in-place --parallel --recursive Sources Tests Package.swift

clean:  ## Remove what was built; what was fetched stays in .deps
	@rm -rf .build
