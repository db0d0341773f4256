#!/usr/bin/env bash
# The program for other systems: builds it for each, and where this computer can run that, by itself or through an
# emulator, asks whether it counts, searches, refuses and writes as the one for this computer does, to the byte.
# Usage: scripts/other-systems.sh [TARGET...]     (default: all five; some ten minutes of a core for each)
#
# Wants what Rust's library for a target takes: `rustup target add TARGET`, or, where it cannot be fetched, the sources
# of the library (`rust-src`), of which it is built then. On Debian the linkers and emulators are in the packages
# gcc-multilib, gcc-aarch64-linux-gnu, qemu-user, gcc-mingw-w64-x86-64 and wine64. What is missing is said and left out.
set -euo pipefail
cd "$(dirname "$0")/.."
targets=("$@")
[ $# -gt 0 ] || targets=(i686-unknown-linux-gnu aarch64-unknown-linux-gnu x86_64-pc-windows-gnu aarch64-apple-darwin
    x86_64-unknown-freebsd)
export CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target/other-systems}
export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
export WINEDEBUG=-all
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# What a small experiment on the virtual machine must give everywhere.
cat >"$work/small.toml" <<'TOML'
title = "Small"
question = "Does every system give the same bytes?"
[positions]
suite = "bratko-kopec"
ids = ["BK12", "BK22"]
[axes]
machine = "virtual"
features = ["thesis", "modern"]
strategy = ["ybwc", "teams", "lazy", "abdada", "dts"]
threads = [1, 2, 16]
depth = 7
TOML

# Runs the program and tells its status; a path on Windows is one of the drive that stands for this computer.
asked() {
    local status=0
    "${run[@]}" "$@" </dev/null >"$work/out" 2>"$work/err" || status=$?
    echo "$status"
}

# Records of the run without cost of coordination, but for the sizes of what was copied.
without_sizes() {
    python3 -c 'import csv, sys
for row in csv.DictReader(open(sys.argv[1])):
    print([value for name, value in row.items() if name != "copied_bytes"])' "$work/ideal-$1/runs.csv"
}

# Digest of all searches of a run.
simulated() { "$CARGO_TARGET_DIR/release/splitpoint" digest "$work/reference-modern-$1" | grep '^simulated'; }

# Checks the program of one system against that of this one, whose answers are made first.
check() {
    local name=$1 status
    status=$(asked perft perft --depth 3)
    [ "$status" = 0 ] || { cat "$work/out" "$work/err"; echo "$name: counts of moves"; return 1; }
    for costs in reference-modern ideal; do
        status=$(asked run "$work/small.toml" --set "axes.costs=$costs" --out "$work/$costs-$name")
        [ "$status" = 0 ] || { cat "$work/out" "$work/err"; echo "$name: a run ends with status $status"; return 1; }
    done
    case $name in
    here) ;;
    # With 32 bits some structures are smaller, so that copying them costs less; where coordination is free, only their
    # size differs.
    i686-*)
        without_sizes here >"$work/expected" && without_sizes "$name" >"$work/found" && [ -s "$work/found" ] &&
            cmp "$work/expected" "$work/found" || { echo "$name: other figures"; return 1; }
        ;;
    # The searches are the same; ends of intervals may differ in their last digit, by the system's logarithm.
    *)
        cmp "$work/reference-modern-here/runs.csv" "$work/reference-modern-$name/runs.csv" &&
            [ "$(simulated here)" = "$(simulated "$name")" ] || { echo "$name: other figures"; return 1; }
        ;;
    esac
    status=$(asked search BK12 --depth 5 --hash 1048576)
    [ "$status" = 2 ] && grep -q "fit" "$work/err" || { cat "$work/err"; echo "$name: a table of 1 TiB, status $status"; return 1; }
    status=$(asked search BK12 --depth 5 --hash 3000)
    [ "$status" = 0 ] || [ "$status" = 2 ] || { cat "$work/err"; echo "$name: a table of 3000 MiB, status $status"; return 1; }
    status=$(asked search BK12 --nonsense)
    [ "$status" = 2 ] || { echo "$name: a slip of the finger, status $status"; return 1; }
}

cargo build --release --quiet
run=("$CARGO_TARGET_DIR/release/splitpoint")
check here
declare -A same=([i686-unknown-linux-gnu]="counts and refuses as here, and searches so where coordination is free")
failures=0
for target in "${targets[@]}"; do
    build=(cargo build --release --quiet --target "$target")
    if [ ! -d "$(rustc --print target-libdir --target "$target")" ]; then
        if [ ! -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library" ]; then
            echo "$target: left out, since its library is missing (rustup target add $target)"
            continue
        fi
        build=(env RUSTC_BOOTSTRAP=1 "${build[@]}" -Zbuild-std=std,panic_abort,panic_unwind)
    fi
    case $target in
    i686-*) linker=gcc run=() ;;
    aarch64-unknown-linux-*) linker=aarch64-linux-gnu-gcc run=(qemu-aarch64 -L /usr/aarch64-linux-gnu) ;;
    *-windows-*) linker=x86_64-w64-mingw32-gcc run=(wine) ;;
    *) linker="" run=() ;;
    esac
    if [ -z "$linker" ] || ! command -v "$linker" >/dev/null; then
        if "${build[@]/#build/check}"; then
            echo "$target: compiles; nothing here links or runs it"
        else
            failures=$((failures + 1))
        fi
        continue
    fi
    if ! "${build[@]}"; then
        echo "$target: does not build, or not link"
        failures=$((failures + 1))
        continue
    fi
    program=$CARGO_TARGET_DIR/$target/release/splitpoint
    [[ $target != *-windows-* ]] || program=$program.exe
    if [ ${#run[@]} -gt 0 ] && ! command -v "${run[0]}" >/dev/null; then
        echo "$target: compiles and links; ${run[0]} is missing to run it"
        continue
    fi
    run+=("$program")
    # Older versions of wine have no bcryptprimitives.dll, of which Rust's library wants one function.
    if [[ $target = *-windows-* ]] && ! "${run[@]}" --version >/dev/null 2>&1; then
        printf '%s\n' '#include <windows.h>' 'BOOLEAN NTAPI SystemFunction036(PVOID data, ULONG size);' \
            '__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE data, SIZE_T size) {' \
            '    return SystemFunction036(data, (ULONG)size);' '}' >"$work/random.c"
        "$linker" -shared -o "$(dirname "$program")/bcryptprimitives.dll" "$work/random.c" -ladvapi32
    fi
    if check "$target"; then echo "$target: ${same[$target]:-counts, refuses and searches as here}"; else failures=$((failures + 1)); fi
done
exit "$((failures > 0))"
