#!/usr/bin/env bash
# All interleavings of small programs of two or three threads, with every value that the C11 model lets a load return:
# the lock and the calls of real machines, the handshakes of open nodes, and the entries of the transposition table.
# What is real there and what a model, and how many preemptions are tried, say the modules called `loom` and
# src/engine/sync.rs; each test prints how many interleavings it has tried.
# Usage: scripts/loom.sh [TEST]
set -euo pipefail
cd "$(dirname "$0")/.."
export RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR="${CARGO_TARGET_DIR:-target/loom}"
cargo test --profile loom -p splitpoint-engine --lib "loom::${1:-}" -- --nocapture --test-threads "${THREADS:-2}"
