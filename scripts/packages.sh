#!/usr/bin/env bash
# From the packages alone: packs every crate, unpacks them elsewhere, builds the program from them without a network and
# without a repository, by the profile for packages, and runs it in an empty home. What a package lacks is found here, and
# what makes the program large. Some minutes on two cores.
# Usage: scripts/packages.sh [FOLDER]          (of what is built, kept from run to run; default: target/packages)
#        scripts/packages.sh --check [FOLDER]  (only checks that all compiles; half a minute of a core)
set -euo pipefail
cd "$(dirname "$0")/.."
top=$PWD
task=(build --profile dist)
changes=()
if [ "${1:-}" = --check ]; then
    task=(check)
    changes=(--allow-dirty) # what compiles is asked of changes, too; of which commit packages are is not
    shift
fi
built=$(realpath -m "${1:-target/packages}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo package --workspace --no-verify --offline --quiet "${changes[@]}" --target-dir "$work/packed" 2>&1 |
    grep -v "^ \|no documentation" || true
for package in "$work"/packed/package/*.crate; do
    tar -xzf "$package" -C "$work"
done
patches=()
for folder in "$work"/splitpoint-*-*/; do
    name=$(sed -n 's/^name = "\(.*\)"$/\1/p' "$folder/Cargo.toml" | head -n 1)
    [ -s "$folder/LICENSE-MIT" ] && [ -s "$folder/LICENSE-APACHE" ] || { echo "$name has no licences"; exit 1; }
    patches+=(--config "patch.crates-io.$name.path='$folder'")
done
cd "$work"/splitpoint-[0-9]*/
cargo "${task[@]}" --offline --quiet --target-dir "$built" "${patches[@]}"
if [ "${task[0]}" = check ]; then
    echo "all packages compile"
    exit
fi
mkdir "$work/home"
cd "$work/home"
export HOME=$work/home
size=$(stat -c %s "$built/dist/splitpoint")
[ "$size" -lt 25000000 ] || { echo "the program has $size bytes, 25 MB at most are meant: is it stripped?"; exit 1; }
"$built/dist/splitpoint" reproduce --quick --out quick
commit=$(git -C "$top" rev-parse HEAD)
grep -q "\"commit\": \"$commit\"" quick/environment.json || { echo "the record does not name the commit of the packages"; exit 1; }
echo "built and run from the packages of $commit: $size bytes"
