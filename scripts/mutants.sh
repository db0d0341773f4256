#!/usr/bin/env bash
# Is the net fine enough? Each patch in tests/mutants breaks a protocol in one place, in a copy of the last commit. The
# tests look for it in this order: schedules (ten seconds of what the soak tries for hours), the engine's own, loom, and
# those of strategies and machines. Prints a row for each: what found it, and after how many seconds of testing.
# Some minutes a mutant on two cores.
# Usage: scripts/mutants.sh [NAME...]      (all, or those whose names contain one of these)
set -uo pipefail
cd "$(dirname "$0")/.."
top=$PWD
copy=$(mktemp -d)
git worktree add --quiet --detach "$copy" HEAD
trap 'git worktree remove --force "$copy"' EXIT
# Fast to compile, and not too slow.
export CARGO_TARGET_DIR=$top/target/mutants CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0
export CARGO_PROFILE_DEV_DEBUG_ASSERTIONS=false

# Runs a test command for at most this many seconds; true if it fails or does not end.
finds() {
    local most=$1 log=$copy/test.log
    shift
    ! timeout "$most" "$@" >"$log" 2>&1
}

look() {
    local begun=$SECONDS
    cargo test --quiet --test it --no-run >"$copy/build.log" 2>&1 || { echo "does not compile | "; return; }
    begun=$SECONDS
    if finds 300 cargo test --quiet --test it -- schedules::; then by="schedules"
    elif finds 600 cargo test --quiet -p splitpoint-engine --lib -- table:: machine::; then by="tests of the engine"
    elif [ -x "$copy/scripts/loom.sh" ] && finds 900 scripts/loom.sh; then by="loom"
    elif finds 900 cargo test --quiet --test it -- strategies:: everybody_thinks:: as_printed:: machines:: handover::; then
        by="tests of strategies and machines"
    else by="**nothing**"; fi
    echo "$by | $((SECONDS - begun))"
}

# Whether a name contains one of the others, if there are any.
is_wanted() {
    local name=$1 part
    shift
    [ $# -eq 0 ] && return
    for part; do [[ $name == *$part* ]] && return; done
    return 1
}

cd "$copy"
echo "| mutant | found by | after s |"
echo "|---|---|---:|"
for patch in "$top"/tests/mutants/*.patch; do
    name=$(basename "$patch" .patch)
    is_wanted "$name" "$@" || continue
    git checkout --quiet . && git apply "$patch" || { echo "| $name | does not apply | |"; continue; }
    echo "| $name | $(look) |"
done
