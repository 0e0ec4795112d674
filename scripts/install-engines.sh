#!/bin/sh
# Gets the engines on which nightly tests run kp corpus, on Debian and its kin, by apt: GNU parallel and
# Slurm. Dask comes with scripts/install-servers.sh.
set -eu
export DEBIAN_FRONTEND=noninteractive
apt-get install -y --no-install-recommends parallel slurm-wlm ||
  { apt-get update && apt-get install -y --no-install-recommends parallel slurm-wlm; }
