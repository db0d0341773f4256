#!/usr/bin/env bash
# Games on short clocks beside other work: nobody may lose on time (about five minutes on two cores). Our engine plays itself
# through UCI, once as many games at a time as there are processors and once twice as many, while as many processes spin.
# Usage: scripts/soak-clock.sh [GAMES]     (games of each part, default 200)
set -euo pipefail
cd "$(dirname "$0")/.."
games=${1:-200}
cargo build --release
program=$(cargo metadata --format-version 1 --no-deps | sed 's/.*"target_directory":"\([^"]*\)".*/\1/')/release/splitpoint
processors=$(nproc)
spinners=()
for _ in $(seq "$processors"); do
    (while :; do :; done) &
    spinners+=($!)
done
trap 'kill "${spinners[@]}" 2>/dev/null' EXIT
for part in "0.1+0.01 $processors" "0.1+0.01 $((2 * processors))" "1+0.01 $((2 * processors))"; do
    read -r clock threads <<<"$part"
    echo "clock of $clock s, $threads games at a time, $processors processes beside them"
    "$program" match "uci:$program uci" "uci:$program uci" --games "$games" --clock "$clock" --threads "$threads" --json |
        python3 -c '
import json, sys
found = json.load(sys.stdin)
print("games", found["games"], "endings", found["endings"])
late = found["endings"].get("time", 0) + found["endings"].get("forfeit", 0)
sys.exit(f"{late} games were lost on time or forfeited" if late else 0)'
done
