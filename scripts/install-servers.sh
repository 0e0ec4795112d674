#!/bin/sh
# Installs the Postgres and Redis that the tests of shared memories start, on Debian and its kin.
# Does nothing where they are. KP_POSTGRES_BIN and KP_REDIS_BIN name others. Needs root.
set -eu
wanted=""
if [ -z "${KP_POSTGRES_BIN:-}" ] && [ -z "$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null)" ]; then
  wanted="postgresql"
fi
if [ -z "${KP_REDIS_BIN:-}" ] && ! command -v redis-server >/dev/null &&
  ! command -v valkey-server >/dev/null; then
  wanted="$wanted redis-server"
fi
if [ -z "$wanted" ]; then exit 0; fi
if [ "$(id -u)" -ne 0 ]; then
  echo "install-servers: expected root to install $wanted, received uid $(id -u)" >&2
  exit 1
fi
# The packages would start servers of their own; the tests start theirs.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] ||
  echo 'create_main_cluster = false' >/etc/postgresql-common/createcluster.conf
export DEBIAN_FRONTEND=noninteractive
# shellcheck disable=SC2086
apt-get install -y --no-install-recommends $wanted ||
  { apt-get update && apt-get install -y --no-install-recommends $wanted; }
