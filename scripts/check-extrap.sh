#!/usr/bin/env bash
# Has Extra-P read what `splitpoint export extra-p` writes, and prints the models that it finds. Extra-P is installed into a
# new environment under a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place/python"
"$place/python/bin/pip" install --quiet extrap
program=${SPLITPOINT:-target/release/splitpoint}
"$program" run strategies-short --set positions.every=40 --set "plan.threads=[1, 2, 4, 8, 16]" --out "$place/run" > "$place/log"
"$program" export extra-p "$place/run" --out "$place/run.jsonl"
"$place/python/bin/extrap" --json "$place/run.jsonl" --disable-progress --print all
