# SPDX-License-Identifier: Apache-2.0
# The front door. The work is done by CMake and by scripts/; every target runs on a fresh Debian or Ubuntu.
#
#   JOBS=n            parallel jobs (default: all processors)
#   WERROR=ON         warnings are errors
#   ZW_NO_INSTALL=1   never install packages; say what is missing and stop
.DEFAULT_GOAL := help
.PHONY: help build demo test test-viewer gallery bench soak fuzz python lint format install-deps clean

export JOBS WERROR

help: ## this list
	@echo "make <target>"; sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' Makefile | while IFS='|' read -r t d; do printf '%-16s%s\n' "$$t" "$$d"; done

build: ## build the program and the libraries into build/release
	@scripts/ensure-packages core
	@scripts/build-viewer --optional
	@scripts/build demo

demo: build ## build, simulate an arc-shaped beam, and name the pages to open
	build/release/zwang run examples/arc-beam.yaml -o build/demo --force
	@echo; echo "report: $(CURDIR)/build/demo/report.html"
	@test ! -f build/demo/view.html || echo "motion: $(CURDIR)/build/demo/view.html"

test: ## build and run the tests (all but the soak tests)
	@scripts/ensure-packages core test
	@scripts/build-viewer --optional
	@scripts/build release
	@scripts/run-tests build/release -LE soak --no-tests=error

test-viewer: ## build, and test the viewer in a headless browser (Chromium)
	@scripts/ensure-packages core browser
	@scripts/build-viewer
	@scripts/build release
	@scripts/test-viewer

gallery: ## render every example into docs/gallery: picture, and the number it reproduces
	@scripts/ensure-packages core test browser
	@scripts/build-viewer
	@scripts/build release
	@scripts/gallery

soak: ## build and run the long tests, then every fuzz target for ten minutes
	@scripts/ensure-packages core test fuzz
	@scripts/build release
	@scripts/run-tests build/release -L soak
	@scripts/fuzz 600

fuzz: ## run every fuzz target for SECONDS (600) each
	@scripts/ensure-packages core fuzz
	@scripts/fuzz $(or $(SECONDS),600)

bench: ## build for this machine's processor and run the benchmarks
	@scripts/ensure-packages core
	@scripts/bench

python: ## build and test the Python package in build/venv
	@scripts/ensure-packages core python
	@scripts/test-python

lint: ## formatting, static analysis, include direction, public names, text rules
	@scripts/ensure-packages core test lint
	@scripts/lint

format: ## rewrite all C files in the house style
	@scripts/ensure-packages lint
	@scripts/format

install-deps: ## install every package that build, tests and lint need
	@scripts/ensure-packages core viewer test lint

clean: ## remove build/
	rm -rf build
