#!/usr/bin/env bash
# The long tests: random programs on virtual processors and on four times more threads than cores; the strategies' scores,
# schedules and stops on many positions and seeds (about half an hour on two cores).
# Usage: scripts/soak.sh [SECONDS] [SEED]     (seconds for each part with random programs, default 60; the first seed,
# default now)
#        scripts/soak.sh orders [COUNT]       (only orders of processors that no clock would give, ten million by
# default, about two hours of one core; it can be ended and goes on from target/soak-orders)
#        scripts/soak.sh nodes [COUNT]        (only orders of the processors of several nodes, a hundred thousand by
# default)
set -euo pipefail
cd "$(dirname "$0")/.."
if [ "${1:-}" = orders ]; then
    export SOAK_STATE=$PWD/target/soak-orders SOAK_SCHEDULES=${2:-10000000} SOAK_SEED=1
    # Tables and histories of small searches come and go: their memory is kept.
    export MALLOC_MMAP_THRESHOLD_=1073741824 MALLOC_TRIM_THRESHOLD_=4294967296 MALLOC_TOP_PAD_=67108864
    exec cargo test --release --test it soak::orders -- --exact --ignored --nocapture
fi
if [ "${1:-}" = nodes ]; then
    export SOAK_SCHEDULES=${2:-100000} SOAK_SEED=1
    exec cargo test --release --test it soak::orders_of_nodes -- --exact --ignored --nocapture
fi
export SOAK_SECONDS=${1:-60}
export SOAK_SEED=${2:-$(date +%s)}
echo "seeds from $SOAK_SEED, $SOAK_SECONDS s a part"
cargo test --release --test it soak:: -- --ignored --nocapture --test-threads 1
