#!/usr/bin/env bash
# How much longer each board takes in a program of 32 bits: the argument of table 2.5 (Reul 2009) for a mailbox.
# Two programs take turns. Each line of the output, of comma-separated values, has the geometric mean of the ratios of
# their times, the lowest and the highest, and the published ratio. Needs an x86-64 processor and, once,
# `rustup target add i686-unknown-linux-musl`.
# Usage: scripts/brute-force-32.sh [ROUNDS] [DEPTH]     (default: 8 rounds, depth 3; a minute and the builds)
set -euo pipefail
cd "$(dirname "$0")/.."
rounds=${1:-8}
depth=${2:-3}
narrow=i686-unknown-linux-musl
target=${CARGO_TARGET_DIR:-target}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The linker that comes with Rust needs no libraries of 32 bits.
export CARGO_TARGET_I686_UNKNOWN_LINUX_MUSL_LINKER=rust-lld
cargo build --release --quiet
cargo build --release --quiet --target "$narrow"
for ((round = 0; round < rounds; round++)); do
    for program in "64 $target/release/splitpoint" "32 $target/$narrow/release/splitpoint"; do
        read -r bits path <<<"$program"
        "$path" micro brute-force --depth "$depth" --seed "$round" --csv >"$folder/$round-$bits.csv"
    done
done

python3 - "$folder" "$rounds" <<'PYTHON'
import csv, math, sys

folder, rounds = sys.argv[1], int(sys.argv[2])
ratios, published = {}, {}
for at in range(rounds):
    rows = {}
    for bits in (64, 32):
        for row in csv.DictReader(open(f"{folder}/{at}-{bits}.csv")):
            if row["figure"] == "time of a leaf":
                key = (row["of"], row["board"], row["sliders"])
                rows[bits, key] = float(row["ours"])
                if row["published"]:
                    published[bits, key] = float(row["published"])
    for (bits, key), time in rows.items():
        if bits == 32 and (64, key) in rows:
            ratios.setdefault(key, []).append(time / rows[64, key])
print("of,board,sliders,ratio_32_to_64_bits,lowest,highest,published")
for (of, board, sliders), all in ratios.items():
    mean = math.exp(sum(map(math.log, all)) / len(all))
    told = [published.get((bits, (of, board, sliders))) for bits in (32, 64)]
    told = f"{told[0] / told[1]:.2f}" if None not in told else ""
    print(f'"{of}",{board},{sliders},{mean:.2f},{min(all):.2f},{max(all):.2f},{told}')
PYTHON
