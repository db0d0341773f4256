#!/usr/bin/env bash
# What are a processor's own bit scans and counts worth to a parallel search? The 2004 thesis had a table of 65536 entries and a
# loop, and asks whether faster ones change the speedup. Builds the program once more, with these, and measures both in turns
# as engines from outside, each on rotated and on magic bitboards. Some minutes of compiling and five of searching:
#
#     scripts/primitives-2004.sh DIR
set -euo pipefail
out=${1:?"usage: scripts/primitives-2004.sh DIR (a new folder for the run)"}
case $out in /*) ;; *) out=$PWD/$out ;; esac
cd "$(dirname "$0")/.."
target=${CARGO_TARGET_DIR:-$PWD/target}
cargo build --release
CARGO_TARGET_DIR=$target/primitives-2004 cargo build --release --features primitives-2004
file=$(mktemp --suffix .toml)
trap 'rm -f "$file"' EXIT
{
    cat <<'TOML'
title = "Bit primitives of 2004"
question = "Do a table and a loop for bit scans and counts slow the search, and do they change its speedup?"
baseline = 6
repetitions = 6

[positions]
suite = "thesis-10"

[axes]
machine = "real"
strategy = ["rotated", "rotated-2004", "magic", "magic-2004"]
threads = "1..=cores"
depth = 8
hash = 16

[report]
asks = "smp"
TOML
    for sliders in rotated magic; do
        for of in "" -2004; do
            program=$target/${of:+primitives-2004/}release/splitpoint
            printf '\n[engines.%s%s]\ncommand = "%s uci"\n' "$sliders" "$of" "$program"
            printf 'options = { Features = "thesis", Strategy = "ybwc", Sliders = "%s" }\n' "$sliders"
        done
    done
} > "$file"
"$target/release/splitpoint" run "$file" --out "$out"
