#!/usr/bin/env bash
# Copies the results of `splitpoint claims` that are kept in git: the verdicts with the file of claims, and of each run its
# tables, its description and where it was made, so that every verdict can be traced. Journals are left out.
# Usage: scripts/keep-claims.sh [results/claims [results/reference/claims]]
set -euo pipefail
cd "$(dirname "$0")/.."
from=${1:-results/claims} to=${2:-results/reference/claims}
[ -f "$from/claims.csv" ] || { echo "$from has no claims.csv: make it with 'splitpoint claims'" >&2; exit 2; }
rm -rf "$to"
mkdir -p "$to"
cp "$from"/{claims.toml,claims.csv,summary.md,report.html} "$to"
for run in "$from"/*/; do
    name=$(basename "$run")
    [ -f "$run/environment.json" ] || continue
    mkdir -p "$to/$name"
    for file in environment.json experiment.toml summary.csv sizes.csv comparisons.csv tournament.json players.csv \
        pairings.csv strength.csv; do
        if [ -f "$run/$file" ]; then cp "$run/$file" "$to/$name"; fi
    done
done
