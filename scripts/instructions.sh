#!/usr/bin/env bash
# Instructions that a node of the search takes on every board, by valgrind: figures without noise, which any x86-64
# computer with the same compiler gives again. What a search to depth 1 takes is subtracted. As comma-separated values.
# Usage: scripts/instructions.sh [FEATURES] [DEPTH] [POSITION]     (default: thesis 7 BK12; 2 minutes and the build)
set -euo pipefail
cd "$(dirname "$0")/.."
features=${1:-thesis}
depth=${2:-7}
position=${3:-BK12}
# This program searches on all boards.
cargo build --release --quiet -p splitpoint-boards --features every-board
splitpoint=${CARGO_TARGET_DIR:-target}/release/splitpoint-boards

# Nodes and instructions of a search on a board.
search() {
    local depth=$1 report
    shift
    report=$(valgrind --tool=cachegrind --cache-sim=no --cachegrind-out-file=/dev/null --log-fd=3 3>&1 >/dev/null \
        "$splitpoint" search "$position" --features "$features" --depth "$depth" --hash 1 "$@")
    nodes=$("$splitpoint" search "$position" --features "$features" --depth "$depth" --hash 1 "$@" --json |
        grep -o '"nodes": *[0-9][0-9]*' | head -n 1 | grep -o '[0-9]*$')
    instructions=$(grep 'I *refs' <<<"$report" | grep -o '[0-9,]*$' | tr -d ,)
}

echo "board,sliders,features,position,depth,nodes,instructions_per_node"
"$splitpoint" list boards | tail -n +2 | while read -r board sliders _; do
    chosen=(--board "$board")
    [ "$sliders" = "–" ] && sliders="" || chosen+=(--sliders "$sliders")
    search 1 "${chosen[@]}"
    read -r least begin <<<"$nodes $instructions"
    search "$depth" "${chosen[@]}"
    echo "$board,$sliders,$features,$position,$depth,$nodes,$(((instructions - begin) / (nodes - least)))"
done
