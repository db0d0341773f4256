#!/usr/bin/env bash
# Runs the Python in the documents with pandas and matplotlib, and lets python-chess talk to the engine. Both are installed into a new
# environment under a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place"
"$place/bin/pip" install --quiet pandas matplotlib chess
PATH="$place/bin:$PATH" cargo test --release --test it documents::commands_run
"$place/bin/python" scripts/check-uci.py cargo run --quiet --release -- uci
