#!/usr/bin/env bash
# Runs the Python in the documents with pandas, which it installs into a new environment of its own under a temporary
# folder.
set -euo pipefail
cd "$(dirname "$0")/.."
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
python3 -m venv "$place"
"$place/bin/pip" install --quiet pandas
PATH="$place/bin:$PATH" cargo test --release --test it documents::commands_run
