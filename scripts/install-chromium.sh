#!/bin/sh
# Installs the Chromium that the browser tests drive, on Debian and its kin. Does nothing where it is.
# KP_CHROMIUM names another browser of the kind.
set -eu
if [ -x "${KP_CHROMIUM:-/usr/bin/chromium}" ]; then exit 0; fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null; then
    echo "install-chromium: expected /usr/bin/chromium, root or sudo, received none of them" >&2
    exit 1
  fi
  as_root="sudo"
fi
$as_root apt-get install -y --no-install-recommends chromium ||
  { $as_root apt-get update && $as_root apt-get install -y --no-install-recommends chromium; }
