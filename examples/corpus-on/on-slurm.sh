#!/bin/sh
# Slurm: sh on-slurm.sh RUNS SHARDS TOP OUTPUT, with paths that all nodes share
set -eu
quote() { printf %s "$1" | sed "s/'/'\\\\''/g; 1s/^/'/; \$s/\$/'/"; }
runs=$(quote "$1") shards=$2 top=$3 output=$(quote "$4") work=$(quote "$4.corpus") kp=${KP:-kp}
submit() { sbatch --parsable --kill-on-invalid-dep=yes --output=/dev/null "$@"; }

# Exit status 3 means that a line of the recordings was not a run, and the rest was read.
map=$(submit --array=0-$((shards - 1)) --requeue \
  --wrap="$kp corpus map $runs --of $shards -o $work || [ \$? -eq 3 ]")
plan=$(submit --dependency="afterok:$map" --wrap="$kp corpus plan $work --top $top")
cell=$(submit --dependency="afterok:$plan" --array=0-$((shards - 1)) --requeue \
  --wrap="$kp corpus cell $work --of $shards")
submit --dependency="afterok:$cell" --wait --wrap="$kp corpus merge $work -o $output"
