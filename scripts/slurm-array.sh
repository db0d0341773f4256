#!/usr/bin/env bash
# Runs an experiment as a Slurm job array, one shard a task, and merges the shards when all tasks have ended. A task that
# Slurm requeues continues where it stopped; so does the whole run if the same command is given again.
set -euo pipefail

usage() {
    cat <<'END'
Usage: scripts/slurm-array.sh [OPTIONS] EXPERIMENT OUT [SHARDS] [sbatch options...]

  EXPERIMENT  a file, or the name of an experiment that ships ('splitpoint list experiments')
  OUT         a folder that all nodes see: OUT/parts gets the shards, OUT/logs their logs, OUT/whole the merged run
  SHARDS      number of tasks (default 8); searches that are divided by one another stay in one task
  the rest    goes to sbatch: --partition=..., --time=..., --constraint=...

Options:
  --share            let others use the node: for virtual machines only, whose results do not depend on it.
                     Without it each task has its node to itself (sbatch --exclusive)
  --set KEY=VALUE    change the experiment, as in 'splitpoint run'; may be repeated
  --help             this text

SPLITPOINT names the program, which all nodes must see; default: the one built here, else the one in PATH.
Nodes must be alike for real machines (--constraint), and 'threads' must not be "1..=cores" if nodes differ.

Examples:
  scripts/slurm-array.sh experiments/hyatt-24.toml /shared/hyatt 24 --partition=compute --time=4:00:00
  scripts/slurm-array.sh --share --set axes.depth=9 scaling-limits /shared/limits 10 --cpus-per-task=4
END
}

fail() {
    printf 'slurm-array.sh: %s\n' "$1" >&2
    exit "${2:-2}"
}

# The part of the plan that a task of the array is for.
part() {
    printf '%s/parts/%s-of-%s' "$out" "$1" "$shards"
}

# What Slurm runs: this script again, with everything it needs to know in its arguments.
case ${1-} in
--task)
    splitpoint=$2 experiment=$3 out=$4 shards=$5
    # In place of the shell, so that Slurm's signals reach it: it then ends at once with its journal whole.
    exec "$splitpoint" run "$experiment" --shard "$SLURM_ARRAY_TASK_ID/$shards" \
        --out "$(part "$SLURM_ARRAY_TASK_ID")" --resume "${@:6}"
    ;;
--merge)
    splitpoint=$2 out=$3 shards=$4
    parts=()
    for ((task = 1; task <= shards; task++)); do
        parts+=("$(part "$task")")
    done
    # The whole gets its name when it is complete.
    merging=$out/merging-$SLURM_JOB_ID
    rm -rf "$merging"
    if ! "$splitpoint" merge "${parts[@]}" --out "$merging"; then
        rm -rf "$merging"
        fail "not all tasks have done their part, so that folder is gone: see $out/logs, then give the same command again" 1
    fi
    mv "$merging" "$out/whole"
    printf 'merged in %s\n' "$out/whole"
    exit
    ;;
esac

exclusive=(--exclusive)
changes=()
while (($# > 0)); do
    case $1 in
    --share) exclusive=() ;;
    --set)
        (($# > 1)) || fail "--set needs KEY=VALUE"
        changes+=(--set "$2")
        shift
        ;;
    --help | -h)
        usage
        exit
        ;;
    -*) fail "unknown option '$1'; sbatch options come last (--help)" ;;
    *) break ;;
    esac
    shift
done
(($# >= 2)) || { usage >&2 && exit 2; }
experiment=$1 out=$2
shift 2
shards=8
if [[ ${1-} =~ ^[0-9]+$ ]]; then
    shards=$((10#$1))
    shift
fi
((shards >= 1)) || fail "at least one shard is needed"
[[ ! -e $out/whole ]] || fail "$out/whole is there already: this experiment has been run"
command -v sbatch >/dev/null || fail "there is no sbatch here: this script is for a Slurm cluster" 1

here=$(cd "$(dirname "$0")" && pwd)
splitpoint=${SPLITPOINT:-${CARGO_TARGET_DIR:-$here/../target}/release/splitpoint}
[[ -n ${SPLITPOINT-} || -x $splitpoint ]] || splitpoint=splitpoint
splitpoint=$(command -v "$splitpoint") || fail "there is no program: build it (cargo build --release) or set SPLITPOINT" 1
splitpoint=$(realpath "$splitpoint")
[[ ! -e $experiment ]] || experiment=$(realpath "$experiment")

# Errors in the experiment are reported now, not by every task after a night in the queue.
"$splitpoint" run "$experiment" "${changes[@]}" --dry-run
mkdir -p "$out/logs" "$out/parts"
out=$(realpath "$out")

name=$(basename "$experiment" .toml)
common=(--parsable --nodes=1 --ntasks=1 "--chdir=$out" --open-mode=append)
array=$(sbatch "${common[@]}" --requeue "${exclusive[@]}" "$@" --job-name="$name" --array="1-$shards" \
    --output="$out/logs/task-%a.log" "$0" --task "$splitpoint" "$experiment" "$out" "$shards" "${changes[@]}")
array=${array%%;*}
# However the tasks ended: if some cells failed for good, the others are still useful.
merge=$(sbatch "${common[@]}" "$@" --job-name="$name-merge" --dependency="afterany:$array" \
    --output="$out/logs/merge.log" "$0" --merge "$splitpoint" "$out" "$shards")
merge=${merge%%;*}
printf '\n%s tasks: job %s. Then they are merged: job %s.\n' "$shards" "$array" "$merge"
printf 'progress: squeue --jobs=%s,%s and %s\nresults:  %s\n' "$array" "$merge" "$out/logs" "$out/whole/report.html"
