#!/bin/sh
# Three workers on one machine: KP_POSTGRES_URL=postgres://… sh run.sh RECORDINGS…
# Set KP to the command if it is not `kp`.
set -eu
: "${KP_POSTGRES_URL:?expected the URL of a Postgres database}"
kp=${KP:-kp}

$kp work --queue "$KP_POSTGRES_URL" --quiet --add "$@"

workers=""
for _ in 1 2 3; do
  $kp work --queue "$KP_POSTGRES_URL" --batch 8 --drain &
  workers="$workers $!"
done
for worker in $workers; do wait "$worker"; done

$kp memory stats "$KP_POSTGRES_URL"
