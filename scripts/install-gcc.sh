#!/bin/sh
# Installs the C compiler that `bench vector` compares with, on Debian and derivatives, if run by root;
# otherwise prints how to install it. Does nothing if it is installed.
set -eu
if command -v gcc >/dev/null; then
  echo "install-gcc: $(command -v gcc) is there"
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "install-gcc: expected gcc, received nothing. Have root run" >&2
  echo "  apt-get install --no-install-recommends gcc libc6-dev" >&2
  echo "Without it, the search is not compared with a scan in C." >&2
  exit 1
fi
apt-get install -y --no-install-recommends gcc libc6-dev ||
  { apt-get update && apt-get install -y --no-install-recommends gcc libc6-dev; }
