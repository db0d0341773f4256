#!/usr/bin/env bash
# Writes the generated tables of README.md and docs/ anew, from the program as it is.
set -euo pipefail
cd "$(dirname "$0")/.."
SPLITPOINT_UPDATE_DOCS=1 cargo test --release --test it documents::tables
