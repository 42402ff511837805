# The usual commands. Each target is a line or two over the presets of CMakePresets.json,
# after the toolchain has been completed.
#
#   make PRESET=asan test      any target with another preset
#   make JOBS=1                fewer compilers at a time
#   make job JOB=sanitize   one of the jobs of scripts/run-job.sh --help
#   make explore TIME=3600 SEED=7   an hour of the tests' seeds that 7 begins
#   make bench BENCH_ARGS='--only stem --threads 1'   options of compare.py
#
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

PRESET ?= release
JOBS ?= $(shell nproc)
TIME ?= 600

BUILD_release := build
BUILD_debug := build-debug
BUILD_asan := build-asan
BUILD := $(BUILD_$(PRESET))
ifeq ($(BUILD),)
$(error PRESET is "$(PRESET)"; it must be release, debug or asan)
endif

TOOLCHAIN_asan := --dev

.DEFAULT_GOAL := all
.PHONY: all demo check test test-all job explore bench bench-peers wheel bindings docs site format
.PHONY: lint lint-fast doors-venv clean distclean help toolchain toolchain-dev configure

all: configure ## build everything into build/
	@cmake --build --preset $(PRESET) --parallel $(JOBS)

demo: configure ## pool a photograph and compare with an independent library
	@cmake --build --preset $(PRESET) --parallel $(JOBS) --target pool-run
	@scripts/setup-python.sh
	@scripts/demo.sh $(BUILD)

check: lint-fast all ## run a sample of every test, in at most 4 minutes
	@cmake --build --preset $(PRESET) --target check-pool-quick

# A plain Python cannot load sanitized bindings.
test: lint-fast all doors-venv $(if $(filter asan,$(PRESET)),,bindings) ## run what has to hold before a change lands, in at most 14 minutes
	@cmake --build --preset $(PRESET) --target check-pool

job: toolchain-dev ## run what make test has no time for: JOB=NAME, one of six; scripts/run-job.sh --list
	@scripts/run-job.sh $(JOB)

test-all: toolchain-dev all doors-venv wheel site bindings ## run everything in full sizes, and three of the jobs; two hours
	@scripts/setup-python.sh $(CURDIR)/build/tosa-venv test/requirements-tosa.txt
	@cmake --build --preset $(PRESET) --target check-pool-all
	@scripts/run-job.sh explore
	@scripts/run-job.sh sanitize
	@FULL=1 scripts/run-job.sh analyse

doors-venv: ## make the Python environment of the tests of JAX, dask, MPI and Vulkan
	@scripts/setup-python.sh $(CURDIR)/build/doors-venv test/requirements-doors.txt

explore: $(if $(filter 0,$(TIME)),,all) ## run tests with new seeds for TIME=600 seconds; 0 sums up
	@$(BUILD)/venv/bin/python scripts/explore.py --build $(BUILD) --time $(TIME) \
	  --jobs $(JOBS) $(if $(SEED),--seed $(SEED))

bench: all ## time kernels beside other libraries', and the compiler beside upstream's
	@scripts/setup-python.sh
	@benchmarks/run.sh $(BUILD) $(BENCH_ARGS)

bench-peers: toolchain-dev ## install more libraries for bench to compare with, some gigabytes
	@scripts/setup-python.sh $(CURDIR)/build/peers-venv \
	  benchmarks/requirements-peers.txt

wheel: ## make self-contained Python wheels into dist/
	@scripts/make-wheels.sh --bindings

bindings: all ## build MLIR's Python bindings with the dialect into build/python
	@scripts/setup-python.sh $(CURDIR)/$(BUILD)/bindings-venv scripts/requirements-bindings.txt
	@cmake --install $(BUILD) --prefix $(BUILD)/bindings/pool >$(BUILD)/bindings.log
	@cmake -G Ninja -S python/bindings -B $(BUILD)/bindings/build \
	  -DPool_ROOT=$(CURDIR)/$(BUILD)/bindings/pool \
	  -DPython_EXECUTABLE=$(CURDIR)/$(BUILD)/bindings-venv/bin/python >$(BUILD)/bindings.log
	@cmake --build $(BUILD)/bindings/build
	@cmake --install $(BUILD)/bindings/build --prefix $(BUILD)/python >$(BUILD)/bindings.log

docs: configure ## regenerate the reference of operations and passes
	@cmake --build --preset $(PRESET) --target pool-docs

# The variable hides an advertisement of mkdocs-material.
site: ## build the pages as a site into build/site
	@scripts/setup-python.sh $(CURDIR)/build/site-venv scripts/requirements-site.txt
	@NO_MKDOCS_2_WARNING=1 build/site-venv/bin/mkdocs build --strict

format: toolchain ## reformat the C++ sources
	@scripts/format.sh

lint: toolchain-dev configure ## check what lint-fast does, and by clang-tidy
	@scripts/lint.sh $(BUILD)

lint-fast: toolchain ## check format, house rules, scripts and workflows; seconds
	@scripts/lint.sh --fast

clean: ## remove what was compiled, in every build directory
	@for directory in build build-debug build-asan build-static; do \
	  if [ -f $$directory/build.ninja ]; then \
	    cmake --build $$directory --target clean || exit 1; \
	  fi; \
	done

distclean: ## remove the build directories
	@rm -rf build build-debug build-asan build-static dist

help: ## show this list
	@sed -n 's/^\([a-z-]*\):.*## /  \1\t/p' $(firstword $(MAKEFILE_LIST)) | \
	  expand -t 14

toolchain:
	@scripts/install-toolchain.sh $(TOOLCHAIN_$(PRESET))

toolchain-dev:
	@scripts/install-toolchain.sh --dev

configure: toolchain $(BUILD)/build.ninja

$(BUILD)/build.ninja: CMakePresets.json | toolchain
	@cmake --preset $(PRESET)
	@touch $@
