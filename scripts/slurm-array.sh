#!/usr/bin/env bash
# Runs an experiment as a Slurm job array: scripts/shards.sh with the launcher slurm, and the same arguments.
exec "$(dirname "$0")/shards.sh" slurm "$@"
