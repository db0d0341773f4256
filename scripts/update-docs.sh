#!/usr/bin/env bash
# Regenerates what the program says of itself: the tables of README.md and docs/, the schema of experiment files, and
# the fingerprints of the plans that ship.
set -euo pipefail
cd "$(dirname "$0")/.."
schema=$(cargo run --quiet --release -- run --schema)
printf '%s\n' "$schema" > experiments/schema.json
SPLITPOINT_UPDATE_DOCS=1 cargo test --release --test it -- documents::tables published_curves::kept kept_results
SPLITPOINT_UPDATE_DOCS=1 cargo test --release -p splitpoint-lab --lib -- plan::tests::shipped_experiments
