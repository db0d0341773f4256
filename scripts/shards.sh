#!/usr/bin/env bash
# Runs an experiment in shards under a scheduler, and merges the shards when all have ended. A shard that was stopped
# continues where it was; so does the whole run if the same command is given again.
set -euo pipefail

# Sites limit the tasks of an array, most of them to a thousand.
most_tasks=1000

usage() {
    cat <<'END'
Usage: scripts/shards.sh LAUNCHER [OPTIONS] EXPERIMENT OUT [SHARDS] [launcher options...]

  LAUNCHER    slurm     a job array and a job that merges; returns at once
              parallel  GNU parallel, on this computer or, with --sshlogin, on others; returns when all is merged
              hq        HyperQueue, which packs many tasks into few jobs; returns when all is merged
              htcondor  HTCondor; returns when all is merged
  EXPERIMENT  a file, or the name of an experiment that ships ('splitpoint list experiments')
  OUT         a folder that all computers see: OUT/parts gets the shards, OUT/logs their logs, OUT/whole the merged run
  SHARDS      number of tasks (default 8); searches that are divided by one another stay in one task
  the rest    goes to the launcher: --partition=... for sbatch, --sshlogin ... for parallel, --pin=... for hq; for
              htcondor, lines of the submit file such as 'request_memory = 2GB'

Options:
  --share            let tasks share a computer: for virtual machines only, whose results do not depend on it. Without
                     it each task has a computer to itself
  --nodes N          N nodes for each task (slurm only), for an engine from outside whose command starts a rank on each,
                     as in "srun --mpi=pmix -n {nodes} ENGINE"
  --set KEY=VALUE    change the experiment, as in 'splitpoint run'; may be repeated
  --help             this text

SPLITPOINT names the program, which all computers must see; default: the one built here, else the one in PATH.
Computers must be alike for real machines (--constraint of sbatch), and 'threads' must not be "1..=cores" if they differ.

Examples:
  scripts/shards.sh slurm experiments/hyatt-24.toml /shared/hyatt 24 --partition=compute --time=4:00:00
  scripts/shards.sh parallel --share --set axes.depth=9 scaling-limits limits 10
END
}

fail() {
    printf 'shards.sh: %s\n' "$1" >&2
    exit "${2:-2}"
}

# The part of the plan that a task is for.
part() {
    printf '%s/parts/%s-of-%s' "$out" "$1" "$shards"
}

merge() {
    local parts=() task merging
    for ((task = 1; task <= shards; task++)); do
        parts+=("$(part "$task")")
    done
    # The whole gets its name when it is complete.
    merging=$out/merging-$$
    rm -rf "$merging"
    if ! "$splitpoint" merge "${parts[@]}" --out "$merging" | sed "s|$merging|$out/whole|g"; then
        rm -rf "$merging"
        fail "not all tasks have done their part: see $out/logs, then give the same command again" 1
    fi
    # Who has given the command twice has two of these jobs.
    mv --no-target-directory "$merging" "$out/whole" ||
        { rm -rf "$merging" && fail "$out/whole is there already: another job has merged" 1; }
    printf 'merged in %s\n' "$out/whole"
}

# What launchers run: this script again, with everything it needs to know in its arguments.
case ${1-} in
--task)
    # The number of the task, or the variable in which the launcher says it.
    number=$2 splitpoint=$3 experiment=$4 out=$5 shards=$6
    [[ $number =~ ^[0-9]+$ ]] || number=${!number}
    # In place of the shell, so that signals of the launcher reach it: it then ends at once with its journal whole.
    exec "$splitpoint" run "$experiment" --shard "$number/$shards" --out "$(part "$number")" --resume "${@:7}"
    ;;
--merge)
    splitpoint=$2 out=$3 shards=$4
    merge
    exit
    ;;
esac

launcher=${1-}
case $launcher in
slurm) needs=sbatch ;;
parallel) needs=parallel ;;
hq) needs=hq ;;
htcondor) needs=condor_submit ;;
--help | -h) usage && exit ;;
'') usage >&2 && exit 2 ;;
*) fail "unknown launcher '$launcher': expected slurm, parallel, hq or htcondor (--help)" ;;
esac
shift

shares=false nodes=1
changes=()
while (($# > 0)); do
    case $1 in
    --share) shares=true ;;
    --nodes)
        [[ ${2-} =~ ^[1-9][0-9]*$ ]] || fail "--nodes needs a number"
        [[ $launcher == slurm ]] || fail "--nodes is for slurm only: $launcher gives a task one computer"
        nodes=$2
        shift
        ;;
    --set)
        (($# > 1)) || fail "--set needs KEY=VALUE"
        changes+=(--set "$2")
        shift
        ;;
    --help | -h)
        usage
        exit
        ;;
    -*) fail "unknown option '$1'; options of the launcher come last (--help)" ;;
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
if [[ $launcher == slurm ]] && ((shards > most_tasks)); then
    fail "$shards tasks are more than the $most_tasks that sites allow in an array: the launcher hq packs them into few \
jobs, and parallel into one"
fi
if [[ $launcher == htcondor && $shares == false && ${*-} != *request_cpus* ]]; then
    fail "HTCondor has no word for a whole computer: say how many processors that is, as in 'request_cpus = 16', or --share"
fi
[[ ! -e $out/whole ]] || fail "$out/whole is there already: this experiment has been run"
command -v "$needs" >/dev/null || fail "there is no $needs here, which the launcher $launcher needs" 1

here=$(cd "$(dirname "$0")" && pwd)
self=$here/$(basename "$0")
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

# The words that a launcher runs for the task of this number, or of the number in this variable.
task() {
    words=("$self" --task "$1" "$splitpoint" "$experiment" "$out" "$shards" "${changes[@]}")
}

with_slurm() {
    local exclusive=(--exclusive) common array merge
    ! $shares || exclusive=()
    common=(--parsable "--chdir=$out" --open-mode=append)
    task SLURM_ARRAY_TASK_ID
    array=$(sbatch "${common[@]}" "--nodes=$nodes" --ntasks-per-node=1 --requeue "${exclusive[@]}" "$@" --job-name="$name" \
        --array="1-$shards" --output="$out/logs/task-%a.log" "${words[@]}")
    array=${array%%;*}
    # However the tasks ended: if some cells failed for good, the others are still useful.
    merge=$(sbatch "${common[@]}" --nodes=1 --ntasks=1 "$@" --job-name="$name-merge" --dependency="afterany:$array" \
        --output="$out/logs/merge.log" "$self" --merge "$splitpoint" "$out" "$shards")
    merge=${merge%%;*}
    printf '\n%s tasks: job %s. Then they are merged: job %s.\n' "$shards" "$array" "$merge"
    printf 'progress: squeue --jobs=%s,%s and %s\nresults:  %s\n' "$array" "$merge" "$out/logs" "$out/whole/report.html"
}

with_parallel() {
    local jobs=(--jobs 1)
    ! $shares || jobs=(--jobs 100%)
    task "{}"
    # Each word is quoted for the shell that parallel starts, but for the number. The tasks' ends are looked at by merge.
    parallel --will-cite "${jobs[@]}" --joblog "$out/logs/tasks" "$@" \
        "$(printf '%q ' "${words[@]:0:2}"){}$(printf ' %q' "${words[@]:3}") > $(printf %q "$out/logs")/task-{}.log 2>&1" \
        ::: $(seq "$shards") || true
    merge
}

with_hq() {
    local cpus=(--cpus=all)
    ! $shares || cpus=(--cpus=1)
    task HQ_TASK_ID
    hq submit "--array=1-$shards" --name="$name" "${cpus[@]}" --wait --stdout="$out/logs/task-%{TASK_ID}.log" \
        --stderr="$out/logs/task-%{TASK_ID}.err" "$@" -- "${words[@]}" || true
    merge
}

with_htcondor() {
    local submit=$out/logs/condor.submit word arguments=
    # The number of a process begins at 0.
    task "\$INT(TASK)"
    # In HTCondor's quotes: blanks divide, and a quotation mark is written twice.
    for word in "${words[@]:1}"; do
        word=${word//\'/\'\'}
        arguments+=" '${word//\"/\"\"}'"
    done
    {
        printf '%s\n' "executable = $self" "arguments = \"${arguments# }\"" 'TASK = $(Process) + 1' \
            "log = $out/logs/condor.log" "output = $out/logs/task-\$(Process).log" "error = $out/logs/task-\$(Process).err" \
            'should_transfer_files = NO' 'getenv = True'
        (($# == 0)) || printf '%s\n' "$@"
        printf 'queue %s\n' "$shards"
    } >"$submit"
    rm -f "$out/logs/condor.log"
    condor_submit "$submit"
    condor_wait "$out/logs/condor.log" || true
    merge
}

"with_$launcher" "$@"
