#!/usr/bin/env bash
# Checks every shipped perft count on every board that this processor can run.
# Usage: scripts/perft-everywhere.sh [DEPTH] [THREADS]     (default: 5, all cores; depth 6 takes hours)
set -euo pipefail
cd "$(dirname "$0")/.."
depth=${1:-5}
threads=${2:-$(nproc)}

cargo build --release --quiet
splitpoint=${CARGO_TARGET_DIR:-target}/release/splitpoint

"$splitpoint" list boards | tail -n +2 | while read -r board sliders _; do
    chosen=(--board "$board")
    [ "$sliders" = "–" ] || chosen+=(--sliders "$sliders")
    printf '%-36s' "${chosen[*]:1}"
    status=0
    output=$("$splitpoint" perft perft --depth "$depth" --threads "$threads" "${chosen[@]}" 2>&1) || status=$?
    printf '%s\n' "$output" | tail -n 1
    # A processor without BMI2 refuses pext with status 2; a wrong count is 1.
    if [ "$status" -eq 1 ]; then
        printf '%s\n' "$output" >&2
        exit 1
    fi
done
