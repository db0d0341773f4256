#!/usr/bin/env bash
# ThreadSanitizer on searches by real threads: every strategy, both ways of sharing the table that threads write at
# once, UCI, a match and a run. Needs a nightly toolchain; std is not instrumented, so races inside of it are not seen,
# and what rayon and crossbeam do is left out. Some minutes on two cores. Ends with 1 if there is a report.
# Where the nightly toolchain has Miri (rustup component add miri), the unit tests of the table's words run under it.
# Usage: scripts/sanitize.sh
set -euo pipefail
cd "$(dirname "$0")/.."
target=x86_64-unknown-linux-gnu
export CARGO_TARGET_DIR=$PWD/target/sanitize
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The end of a thread of std and its joining, and those who have waited for a lock of std, which are not instrumented:
# the crates named here have no unsafe code.
printf 'race:%s\n' splitpoint_lab splitpoint_data splitpoint_base rayon_core crossbeam 'Arc<std::thread' 'drop_glue::<std::thread' std::sys::thread_local::guard::key >"$work/suppressions"
export TSAN_OPTIONS="suppressions=$work/suppressions exitcode=66 halt_on_error=0"

RUSTFLAGS="-Zsanitizer=thread -Cunsafe-allow-abi-mismatch=sanitizer" \
    cargo +nightly build --release --target "$target" --bin splitpoint
splitpoint=$CARGO_TARGET_DIR/$target/release/splitpoint

runs=0 reports=0
try() {
    runs=$((runs + 1))
    if ! "$splitpoint" "$@" >"$work/out" 2>"$work/err" </dev/null && grep -q "WARNING: ThreadSanitizer" "$work/err"; then
        reports=$((reports + 1))
        printf 'report: splitpoint %s\n' "$*"
        grep -m 3 -A 12 "WARNING: ThreadSanitizer" "$work/err"
    fi
}
for strategy in $("$splitpoint" list strategies --json | grep -o '"strategy": "[a-z-]*"' | cut -d'"' -f4); do
    threads=4
    [ "$strategy" = sequential ] && threads=1
    for scheme in lockless striped; do
        for waiting in park spin; do
            try search BK12 BK03 --depth 8 --threads "$threads" --strategy "$strategy" --scheme "$scheme" --waiting "$waiting" \
                --pin none --hash 1 --alone
        done
    done
done
try search BK12 --depth 8 --threads 4 --audit --alone --hash 1
try search BK12 --depth 7 --threads 4 --strategy ybwc-as-printed --features thesis-as-printed --alone
try match modern modern,-null-move --games 8 --nodes 300
try run quick --set plan.depth=5 --set positions.every=5 --out "$work/run"
printf 'uci\nsetoption name Threads value 4\ngo depth 9\n' | "$splitpoint" uci >"$work/out" 2>"$work/err" ||
    { reports=$((reports + 1)); cat "$work/err"; }
echo "ThreadSanitizer: $reports reports in $((runs + 1)) runs"

if cargo +nightly miri --version >/dev/null 2>&1; then
    cargo +nightly miri test -p splitpoint-engine --lib -- table::slot table::entry
else
    echo "Miri: not among the components of the nightly toolchain"
fi
exit $((reports > 0))
