#!/usr/bin/env bash
# Is the net fine enough? tests/faults.patch breaks the protocols in some forty places, each when the environment names
# it. The tests are compiled once with all of them, in a copy of the last commit, and run once for each until something
# fails: the engine's own, schedules (seconds of what the soak tries for hours), several nodes, strategies and machines,
# and loom. Prints a row for each fault: what found it, and after how many seconds. First without any, where all has to
# pass. Hours if nothing is found.
# Usage: scripts/mutants.sh [NAME...]      (all, or those whose names contain one of these)
set -uo pipefail
cd "$(dirname "$0")/.."
top=$PWD
copy=$(mktemp -d)
git worktree add --quiet --detach "$copy" HEAD
trap 'git worktree remove --force "$copy"' EXIT
git -C "$copy" apply "$top/tests/faults.patch" || exit 1
export CARGO_TARGET_DIR=$top/target/mutants

# The test program that a command compiles.
compiled() {
    cargo test --no-run --message-format=json "$@" 2>"$copy/build.log" |
        sed -n 's/.*"executable":"\([^"]*\)".*/\1/p' | tail -1
}

cd "$copy"
it=$(compiled --release --test it)
engine=$(compiled --release -p splitpoint-engine --lib)
loom=$(RUSTFLAGS="--cfg loom" CARGO_TARGET_DIR=$top/target/mutants-loom compiled --profile loom -p splitpoint-engine --lib)
for program in "$it" "$engine" "$loom"; do
    [ -x "$program" ] || { cat "$copy/build.log"; exit 1; }
done

# Runs a test program for at most so many seconds; true if it fails or does not end.
finds() {
    ! timeout "$1" "${@:2}" >"$copy/test.log" 2>&1
}

look() {
    local begun=$SECONDS by
    if finds 120 "$engine" table:: machine:: parallel::; then by="tests of the engine"
    elif finds 120 "$it" schedules:: --skip faults_change; then by="schedules"
    elif finds 120 "$it" nodes::; then by="several nodes"
    elif finds 600 "$it" strategies:: everybody_thinks:: as_printed:: machines:: handover::; then
        by="strategies and machines"
    elif finds 900 "$loom" loom::; then by="loom"
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

echo "| fault | found by | after s |"
echo "|---|---|---:|"
echo "| none | $(SPLITPOINT_FAULT='' look) |"
found=0 tried=0
for name in $(sed -n '/^diff /q; s/^\([a-z-]*\): .*/\1/p' "$top/tests/faults.patch"); do
    is_wanted "$name" "$@" || continue
    row=$(SPLITPOINT_FAULT=$name look)
    tried=$((tried + 1))
    [[ $row == *nothing* ]] || found=$((found + 1))
    echo "| $name | $row |"
done
echo
echo "$found of $tried found"
