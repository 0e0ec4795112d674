#!/bin/sh
# Installs the Chromium that the browser tests drive, on Debian and derivatives, if run by root;
# otherwise prints how to install it. Does nothing if it is installed. Set KP_CHROMIUM to use
# another Chromium-based browser.
set -eu
browser="${KP_CHROMIUM:-/usr/bin/chromium}"
if [ -x "$browser" ]; then
  echo "install-chromium: $browser is there"
  exit 0
fi
if [ "$(id -u)" -ne 0 ]; then
  echo "install-chromium: expected $browser, received nothing. Have root run" >&2
  echo "  apt-get install --no-install-recommends chromium" >&2
  echo "or set KP_CHROMIUM to a Chromium that is there. Without one, the browser tests are skipped." >&2
  exit 1
fi
apt-get install -y --no-install-recommends chromium ||
  { apt-get update && apt-get install -y --no-install-recommends chromium; }
