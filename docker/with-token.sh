# Runs a command with GRAPHMIND_TOKEN set: the one given, else the one in the data volume, which the collector makes at its first start.
set -eu
token_file="$(dirname "${GRAPHMIND_DB:-/data/graphmind.db}")/token"
if [ -z "${GRAPHMIND_TOKEN:-}" ]; then
  if [ ! -s "$token_file" ]; then
    (umask 077 && node -p "require('node:crypto').randomBytes(24).toString('base64url')" > "$token_file")
  fi
  GRAPHMIND_TOKEN="$(cat "$token_file")"
  export GRAPHMIND_TOKEN
fi
exec "$@"
