#!/bin/sh
# GNU parallel, here or on the hosts of its --sshlogin: sh on-parallel.sh RUNS SHARDS TOP OUTPUT
set -eu
# Quotes a path for the shell, and divides {} and the like, which parallel would replace.
quote() { printf %s "$1" | sed "s/'/'\\\\''/g; s/{/{''/g; 1s/^/'/; \$s/\$/'/"; }
runs=$(quote "$1") shards=$2 top=$3 work=$(quote "$4.corpus") kp=${KP:-kp}
# Exit status 3 means that a line of the recordings was not a run, and the rest was read.
each() { seq 0 $((shards - 1)) | parallel --wd . --retries 4 --halt soon,fail=1 "$1 || [ \$? -eq 3 ]"; }

each "$kp corpus map $runs --shard {} --of $shards -o $work"
$kp corpus plan "$4.corpus" --top "$top"
each "$kp corpus cell $work --shard {} --of $shards"
$kp corpus merge "$4.corpus" -o "$4"
