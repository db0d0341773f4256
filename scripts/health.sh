#!/usr/bin/env bash
# Whether `doctor` names the state of each search of tests/data/health.toml, healthy or crippled, with ten seeds. Prints a
# line for each. A quarter of an hour on two cores; what is there is not run again. Other seeds: SEEDS="10 11".
set -euo pipefail
cd "$(dirname "$0")/.."
program=${SPLITPOINT:-target/release/splitpoint}
out=${1:-/tmp/health}
for seed in ${SEEDS:-0 1 2 3 4 5 6 7 8 9}; do
    "$program" run tests/data/health.toml --set axes.seed=$seed --out "$out/$seed" --resume > /dev/null 2> "$out-log"
    python3 - "$out/$seed/health.csv" "$seed" <<'PYTHON'
import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    name = row["label"].split(",")[0]
    expected = name.split(":")[0].removesuffix(" instead of deeper").removeprefix("the threads are ").split(" some")[0]
    verdict = "right" if expected in row["health"] else "WRONG"
    print(sys.argv[2], verdict, name, "->", row["health"], row["time_speedup"])
PYTHON
done
