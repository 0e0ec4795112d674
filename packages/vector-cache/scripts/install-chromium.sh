#!/bin/sh
# Installs the Chromium that the browser test drives, on Debian and its kin. Does nothing where it is.
set -eu
if [ -x /usr/bin/chromium ]; then exit 0; fi
if [ "$(id -u)" -ne 0 ]; then
  echo "install-chromium: /usr/bin/chromium is missing and only root can install it" >&2
  exit 1
fi
apt-get install -y --no-install-recommends chromium ||
  { apt-get update && apt-get install -y --no-install-recommends chromium; }
