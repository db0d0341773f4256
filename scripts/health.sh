#!/usr/bin/env bash
# Whether `doctor` names the state of each search of tests/data/health.toml, healthy or crippled, with ten seeds; of one
# that is good to some number of threads, also whether it names that number. Prints a line for each; the exit status is
# 1 if one is wrong. Half an hour on two cores; what is there is not run again. Other seeds: SEEDS="10 11".
set -euo pipefail
cd "$(dirname "$0")/.."
program=${SPLITPOINT:-target/release/splitpoint}
out=${1:-/tmp/health}
status=0
for seed in ${SEEDS:-0 1 2 3 4 5 6 7 8 9}; do
    "$program" run tests/data/health.toml --set axes.seed=$seed --out "$out/$seed" --resume > /dev/null 2> "$out-log"
    python3 - "$out/$seed/health.csv" "$seed" <<'PYTHON' || status=1
import csv, re, sys

def is_right(expected, state):
    number = re.fullmatch(r"good to (\d+) threads", expected)
    # A set of numbers, `good to 4 or 8 threads`, is right if it has the number.
    good_to = re.search(r"good to ([\d, or]+)", state)
    if number and good_to:
        return number[1] in re.findall(r"\d+", good_to[1])
    return expected.removesuffix(" instead of deeper").removeprefix("the threads are ") in state

are_all_right = True
for row in csv.DictReader(open(sys.argv[1])):
    name = row["label"].split(",")[0]
    right = is_right(name.split(":")[0], row["health"])
    are_all_right &= right
    print(sys.argv[2], "right" if right else "WRONG", name, "->", row["health"], row["time_speedup"])
sys.exit(not are_all_right)
PYTHON
done
exit $status
