#!/usr/bin/env bash
# Is every `unsafe` block reached by a test? In a copy of the last commit each block notes its place when it first runs;
# then the tests of the engine, of micro-measurements, of machines and of commands run. Prints the blocks that nothing has
# reached: those that only some processors or systems have, and none else. Three minutes on two cores.
# Usage: scripts/unsafe.sh
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD
copy=$(mktemp -d)
git worktree add --quiet --detach "$copy" HEAD
trap 'git worktree remove --force "$copy"' EXIT
cd "$copy"
export UNSAFE_SEEN=$copy/seen CARGO_TARGET_DIR=$top/target/unsafe CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=0
note='{ static SEEN: std::sync::Once = std::sync::Once::new(); SEEN.call_once(|| if let Ok(path) = std::env::var("UNSAFE_SEEN")'
note+=' { let _ = std::fs::OpenOptions::new().append(true).create(true).open(path).and_then(|mut file|'
note+=' std::io::Write::write_all(\&mut file, format!("{}:{}\\n", file!(), line!()).as_bytes())); }); }'
# The models of loom are compiled for it alone, and what is `const` runs in the compiler.
blocks=$(grep -rnE 'unsafe \{' src --include='*.rs' | grep -v '/loom.rs:' | cut -d: -f1,2)
for block in $blocks; do
    file=${block%:*} line=${block#*:}
    # The function that the block is in.
    if sed -n "1,${line}p" "$file" | grep -E '^ *(pub(\([a-z]*\))? )?(const )?(unsafe )?(extern "C" )?fn ' | tail -1 | grep -q 'const fn'; then
        echo "$block" >>seen
    else
        sed -i "${line}s@unsafe {@unsafe { $note@" "$file"
    fi
done
cargo test --quiet -p splitpoint-engine -p splitpoint-micro --lib >test.log 2>&1 || { tail -20 test.log; exit 1; }
cargo test --quiet --test it -- machines:: uci_command:: lab_kills:: outside_engines:: >>test.log 2>&1 || { tail -20 test.log; exit 1; }
echo "$(wc -w <<<"$blocks") blocks, not reached:"
for block in $blocks; do
    grep -qx "$block" seen || echo "$block"
done
