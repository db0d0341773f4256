#!/usr/bin/env bash
# How many files does an addition touch? Each patch in tests/additions adds one thing as the tour of extending says, to a
# copy of the last commit. It must compile, its tests must pass, and it must touch no more files than its first lines
# allow. Generated files, which scripts/update-docs.sh writes, are counted apart. Prints a row for each; the exit status
# is 1 if one fails or touches too many.
# Some minutes each on two cores; with --check they are only compiled.
# Usage: scripts/additions.sh [--check] [NAME...]
set -uo pipefail
cd "$(dirname "$0")/.."
top=$PWD
is_checked_only=
if [ "${1-}" = --check ]; then is_checked_only=1; shift; fi
copy=$(mktemp -d)
git worktree add --quiet --detach "$copy" HEAD
trap 'git worktree remove --force "$copy"' EXIT
# Fast to compile, and not too slow.
export CARGO_TARGET_DIR=$top/target/additions CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0

# The value of a line of the head of a patch.
head_of() { sed -n "/^diff/q; s/^$2: //p" "$1"; }

passes() {
    local patch=$1 log=$copy/log
    cargo check --quiet --workspace --tests >"$log" 2>&1 || { echo "does not compile"; return; }
    [ -n "$is_checked_only" ] && { echo "compiles"; return; }
    # What is generated is written first, as scripts/update-docs.sh would.
    local update=()
    [ "$(head_of "$patch" Generated)" = yes ] && update=(env SPLITPOINT_UPDATE_DOCS=1)
    "${update[@]}" $(head_of "$patch" Tests) >"$log" 2>&1 || { echo "fails"; return; }
    echo "passes"
}

cd "$copy"
status=0
echo "| addition | aim | files | lines | generated too | |"
echo "|---|---:|---:|---:|---|---|"
for patch in "$top"/tests/additions/*.patch; do
    name=$(basename "$patch" .patch)
    [ $# -gt 0 ] && [[ " $* " != *" $name "* ]] && continue
    git checkout --quiet . && git clean --quiet -fd
    git apply "$patch" || { echo "| $name | does not apply |"; status=1; continue; }
    files=$(grep -c '^diff --git' "$patch") lines=$(grep -c '^+[^+]' "$patch") aim=$(head_of "$patch" Files)
    result=$(passes "$patch")
    [[ $files -le $aim && ( $result = passes || $result = compiles ) ]] || status=1
    echo "| $name | $aim | $files | $lines | $(head_of "$patch" Generated) | $result |"
done
exit $status
