# As OpenBench wants it: `make EXE=name` builds the release and leaves the program here under that name;
# `name bench` ends with '<nodes> nodes <speed> nps'.
EXE ?= garrison

# For the machine that builds. For others: `cargo build --release`, or with link-time optimization
# `make RUSTFLAGS="-C target-cpu=x86-64-v2"`.
RUSTFLAGS ?= -C target-cpu=native
TARGET_DIR := $(or $(CARGO_TARGET_DIR),target)
SUFFIX := $(if $(filter Windows_NT,$(OS)),.exe,)

.PHONY: all bench clean

all:
	RUSTFLAGS="$(RUSTFLAGS)" CARGO_PROFILE_RELEASE_LTO=fat cargo build --release --locked
	cp "$(TARGET_DIR)/release/garrison$(SUFFIX)" "$(EXE)$(if $(filter %$(SUFFIX),$(EXE)),,$(SUFFIX))"

bench: all
	./$(EXE) bench

clean:
	cargo clean
	rm -f "$(EXE)"
