#!/usr/bin/env bash
# The long tests: random programs on virtual processors and on four times more threads than cores; the strategies' scores,
# schedules and stops on many positions and seeds (about half an hour on two cores).
# Usage: scripts/soak.sh [SECONDS] [SEED]     (seconds for each part with random programs, default 60; the first seed,
# default now)
set -euo pipefail
cd "$(dirname "$0")/.."
export SOAK_SECONDS=${1:-60}
export SOAK_SEED=${2:-$(date +%s)}
echo "seeds from $SOAK_SEED, $SOAK_SECONDS s a part"
cargo test --release --test it soak:: -- --ignored --nocapture --test-threads 1
