#!/usr/bin/env bash
# The long tests of the machines: random programs on virtual processors and on four times more threads than cores.
# Usage: scripts/soak.sh [SECONDS] [SEED]     (seconds for each of five parts, default 60; the first seed, default now)
set -euo pipefail
cd "$(dirname "$0")/.."
export SOAK_SECONDS=${1:-60}
export SOAK_SEED=${2:-$(date +%s)}
echo "seeds from $SOAK_SEED, $SOAK_SECONDS s a part"
cargo test --release --test it soak:: -- --ignored --nocapture --test-threads 1
