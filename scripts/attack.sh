#!/usr/bin/env bash
# The attack on reliability: kills at random moments, of runs, of all other commands that write and of launchers of
# shards, full disks and terminals, absurd sizes in little memory, and mutated positions and experiments (eight parts,
# eight minutes by default).
# Usage: scripts/attack.sh [SECONDS] [SEED]     (seconds for each part, default 60; the first seed, default now)
set -euo pipefail
cd "$(dirname "$0")/.."
export ATTACK_SECONDS=${1:-60}
export ATTACK_SEED=${2:-$(date +%s)}
echo "seeds from $ATTACK_SEED, $ATTACK_SECONDS s a part"
cargo test --release --test it attack:: -- --ignored --nocapture --test-threads 1
