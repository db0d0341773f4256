#!/usr/bin/env bash
# Builds the program with MPI and searches with several processes on this computer: scores, letters, a killed process,
# a program that differs, an experiment that goes on. Needs an MPI library: on Debian,
#
#     apt install libopenmpi-dev openmpi-bin
#     scripts/mpi.sh [DIR] [KILLS]
#
# or another one than the default, as in MPICC=mpicc.mpich MPIRUN=mpirun.mpich scripts/mpi.sh (apt install libmpich-dev);
# with a folder for what is built and run (default: target/mpi), and a number of kills of processes at random moments
# (default: 6).
set -euo pipefail
cd "$(dirname "$0")/.."
out=${1:-target/mpi}
kills=${2:-6}
mkdir -p "$out"
out=$(cd "$out" && pwd)

# Open MPI refuses root, and more processes than cores, unless it is told.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1
export OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
mpirun=${MPIRUN:-mpirun}
together() { "$mpirun" -n "$1" "${@:2}"; }

say() { printf '\n== %s\n' "$*"; }
fail() { printf 'FAILED: %s\n' "$*"; exit 1; }

say "build with MPI"
CARGO_TARGET_DIR="$out/target" cargo build --release --features mpi
program="$out/target/release/splitpoint"

say "a search on two nodes, by shared memory and by TCP"
for transport in vader tcp; do
    OMPI_MCA_btl="$transport,self" together 2 "$program" search BK12 --depth 13 --cluster-nodes 2 --alone --json \
        --scheme lockless,exchange=push >"$out/search-$transport.json"
    python3 - "$out/search-$transport.json" <<'CHECK' || fail "$transport"
import json, sys
letters = json.load(open(sys.argv[1]))["positions"][0]["letters"]
print({name: letters[name] for name in ("letters", "bytes", "received", "stale", "kept", "used")})
sys.exit(letters["letters"] != letters["received"] or letters["stale"] > 0 or letters["kept"] == 0)
CHECK
done

say "an experiment on one, two and three nodes, interrupted by the death of a process, and resumed"
cat >"$out/nodes.toml" <<'TOML'
title = "Nodes of this computer"
question = "Does one search gain from several processes?"
repetitions = 2

[positions]
every = 4

[axes]
features = "modern"
depth = 12
hash = 4

[[plan]]
strategy = "teams"
threads = 1
cluster_nodes = [1, 2, 3]
scheme = ["lockless", "lockless,exchange=push"]
TOML
rm -rf "$out/run"
together 3 "$program" run "$out/nodes.toml" --out "$out/run" >"$out/killed.log" 2>&1 &
begun=$!
until [ -s "$out/run/journal.jsonl" ] && [ "$(wc -l <"$out/run/journal.jsonl")" -gt 3 ]; do sleep 0.1; done
killed_at=$(date +%s%N)
pkill -9 -n -f "$program run $out/nodes.toml" || fail "no process to kill"
wait "$begun" && fail "the run went on without one of its processes"
ended_ms=$((($(date +%s%N) - killed_at) / 1000000))
echo "ended $ended_ms ms after the death of a process"
[ "$ended_ms" -lt 5000 ] || fail "a dead process must end the run within 5 s"
kept=$(wc -l <"$out/run/journal.jsonl")
echo "$kept lines of the journal are kept"
together 3 "$program" run "$out/nodes.toml" --out "$out/run" --resume >"$out/resumed.log" 2>&1 \
    || { tail -n 5 "$out/resumed.log"; fail "the run does not go on"; }
"$program" report "$out/run" | head -n 12

say "$kills kills, of mpirun or of one of its processes, at random moments"
for ((kill = 1, runs = 0, done = 0; done < kills; kill++)); do
    [ -n "${folder:-}" ] || { folder="$out/killed-$((++runs))"; rm -rf "$folder"; }
    together 3 "$program" run "$out/nodes.toml" --out "$folder" --resume >"$out/killed.log" 2>&1 &
    begun=$!
    sleep "$((RANDOM % 3)).$((RANDOM % 10))"
    # The launcher, the process that writes, or another one.
    case $((kill % 3)) in
    0) kill -9 "$begun" 2>/dev/null ;;
    1) pkill -9 -o -f "^$program run $out/nodes.toml" ;;
    2) pkill -9 -n -f "^$program run $out/nodes.toml" ;;
    esac && done=$((done + 1))
    wait "$begun" && folder= && continue
    # What is left of the run ends by itself, and soon.
    for ((wait = 0; wait < 50; wait++)); do
        pgrep -f "^$program run $out/nodes.toml" >/dev/null || break
        sleep 0.1
    done
    ((wait < 50)) || fail "processes go on 5 s after the death of $((kill % 3)) (0: mpirun, 1: the first, 2: another one)"
done
for ((run = 1; run <= runs; run++)); do
    folder="$out/killed-$run"
    together 3 "$program" run "$out/nodes.toml" --out "$folder" --resume >"$out/resumed.log" 2>&1 \
        || { tail -n 5 "$out/resumed.log"; fail "$folder does not go on"; }
    "$program" report "$folder" >"$out/report.log" || fail "$folder cannot be read"
    # Each cell is there once, whatever half a line a dead process has left.
    python3 - "$out/run" "$folder" <<'CHECK' || fail "$folder has other cells"
import csv, sys
cells = [[row["index"] for row in csv.DictReader(open(f"{run}/runs.csv")) if row["counts"] == "true"] for run in sys.argv[1:]]
sys.exit(cells[0] != cells[1])
CHECK
done
echo "$kills kills in $runs runs, each complete in the end"

say "processes of another command, and too few"
together 1 "$program" search BK12 --depth 5 : -n 1 "$program" search BK12 --depth 6 >"$out/differs.log" 2>&1 \
    && fail "two commands searched together"
grep "rank 1 on host" "$out/differs.log" || fail "nobody said what differs"
together 2 "$program" search BK12 --depth 5 --cluster-nodes 3 >"$out/few.log" 2>&1 && fail "three nodes of two processes"
grep "mpirun -n 3" "$out/few.log" || fail "nobody said how many are needed"

say "an engine of two nodes against one"
# Which node is the first to answer differs from time to time.
for _ in 1 2 3; do
    "$program" uci-check "$mpirun -n {nodes} $program uci --cluster-nodes {nodes}" --nodes 1,2 >"$out/check.log" || { grep FAILED "$out/check.log"; fail "an engine of two nodes"; }
done
tail -n 1 "$out/check.log"

say "all is well"
