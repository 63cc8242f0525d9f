# The same commands that CI runs.
CARGO ?= cargo

.PHONY: demo test lint check release

demo: ## sweep a simulated fleet on loopback
	@# The demo fleet has broken nodes, so gpusweep itself ends with exit code 1.
	$(CARGO) run --quiet --locked -- demo || [ $$? -eq 1 ]

test: ## install what the tests need (as root), then run every test
	sh tests/setup
	$(CARGO) test --locked

lint: ## formatting, clippy, shell scripts, the catalogue
	$(CARGO) fmt --check
	$(CARGO) clippy --locked --all-targets -- -D warnings
	sh tests/lint

release: ## an optimised binary in target/release
	$(CARGO) build --locked --release
