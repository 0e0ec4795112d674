#!/bin/sh
# Unpacks servers of the next release of this distribution, with their libraries, into a folder, if
# this release lacks them or has too old a version. Installs nothing, and does not need root.
#   sh scripts/unpack-servers.sh FOLDER PACKAGE...
# Name Postgres as postgresql-pgvector; the release determines its version.
set -eu
folder=$1
shift
# shellcheck source=/dev/null
. /etc/os-release
case "${ID:-}" in
debian)
  next=trixie
  areas=main
  ;;
ubuntu)
  next=resolute
  areas="main universe"
  ;;
*)
  echo "unpack-servers: expected Debian or Ubuntu, received ${ID:-nothing}" >&2
  exit 1
  ;;
esac
# The archive that this machine already uses also has the next release.
mirror=$(apt-get indextargets --format '$(REPO_URI) $(CODENAME) $(COMPONENT)' 'Created-By: Packages' |
  awk -v release="$VERSION_CODENAME" '$2 == release && $3 == "main" { print $1; exit }')
if [ -z "$mirror" ]; then
  echo "unpack-servers: expected apt to know an archive of $VERSION_CODENAME, received none" >&2
  exit 1
fi

mkdir -p "$(dirname "$folder")"
folder="$(cd "$(dirname "$folder")" && pwd)/$(basename "$folder")"
# The folder appears only when it is complete.
part="$folder.$$"
trap 'rm -rf "$part"' EXIT
work="$part/apt"
mkdir -p "$work/lists/partial" "$work/archives/partial"
: >"$work/status"
echo "deb [signed-by=/usr/share/keyrings/$ID-archive-keyring.gpg] $mirror $next $areas" \
  >"$work/sources.list"
# A separate apt configuration, in which nothing is installed.
apt() {
  program=$1
  shift
  "$program" -qq -o "Dir::Etc::SourceList=$work/sources.list" -o Dir::Etc::SourceParts=/dev/null \
    -o "Dir::State=$work" -o "Dir::State::status=$work/status" -o "Dir::Cache=$work" \
    -o APT::Install-Recommends=false -o APT::Sandbox::User= -o Acquire::Languages=none "$@"
}
apt apt-get update
wanted=""
for package in "$@"; do
  if [ "$package" = postgresql-pgvector ]; then
    package=$(apt apt-cache pkgnames | grep -E '^postgresql-[0-9]+-pgvector$' | sort -V | tail -n 1)
  fi
  wanted="$wanted $package"
done
# Servers and libraries, without packages that only compile queries or set up a system.
# shellcheck disable=SC2086
names=$(apt apt-get install --simulate $wanted | awk '$1 == "Inst" { print $2 }' |
  grep -E '^(lib|postgresql-(client-)?[0-9]+|pgbouncer|valkey)' | grep -vE '^lib(llvm|perl|z3)|-perl$')
# shellcheck disable=SC2086
(cd "$work/archives" && apt apt-get download $names)
for archive in "$work"/archives/*.deb; do dpkg-deb --extract "$archive" "$part"; done
rm -r "$work" "$part/usr/share/doc" "$part/usr/share/man" "$part/usr/share/locale"

# Each program uses the libraries that it was unpacked with, whatever this machine has.
loader=$(find "$part/usr/lib" -name 'ld-linux-*.so.*' | head -n 1)
libraries=$(dirname "$(find "$part/usr/lib" -name libc.so.6 | head -n 1)")
for program in "$part"/usr/lib/postgresql/*/bin/* "$part"/usr/bin/valkey-* \
  "$part"/usr/sbin/pgbouncer; do
  case "$(basename "$program")" in
  postgres | initdb | pg_isready | pg_basebackup | pgbouncer | valkey-server) ;;
  *) continue ;;
  esac
  mv "$program" "$program.program"
  printf '#!/bin/sh\nexec "%s" --library-path "%s" --argv0 "$0" "$0.program" "$@"\n' \
    "$folder${loader#"$part"}" "$folder${libraries#"$part"}" >"$program"
  chmod 755 "$program"
done
chmod -R a+rX "$part"
rm -rf "$folder"
mv "$part" "$folder"
