#!/usr/bin/env bash
# Regenerates the tables of README.md and docs/ from the output of the program.
set -euo pipefail
cd "$(dirname "$0")/.."
SPLITPOINT_UPDATE_DOCS=1 cargo test --release --test it documents::tables
