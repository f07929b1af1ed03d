#!/bin/bash
# upgradePostgres.sh dump|load: copies the data of PostgreSQL 17 into the empty volume of PostgreSQL 18. docker-compose.yml
# runs `dump` in an image of 17 and `load` in one of 18, both as the user postgres (docs/upgrade.md). The volume of 17 keeps
# its data and gets the dump. Both may be repeated: until `load` has completed, the volume of 18 counts as empty.
set -euo pipefail
old=/var/lib/postgresql/data new=/var/lib/postgresql/18/docker dump=upgrade-17.sql.gz
sockets=$(mktemp -d)
fail() { echo "upgrade-postgres: $1" >&2; exit 1; }
start() { pg_ctl --silent --wait --timeout=300 --pgdata="$1" --log=/tmp/log \
  --options="-c listen_addresses='' -c unix_socket_directories=$sockets -c log_min_error_statement=panic" start || { cat /tmp/log >&2; exit 1; }; }
stop() { pg_ctl --silent --wait --pgdata="$1" --mode=fast stop; }
export PGHOST=$sockets PGUSER=postgres PGDATABASE=postgres

case $1 in
  dump)
    [[ -s $old/PG_VERSION ]] || fail 'nothing to do: there is no data of PostgreSQL 17 (volume postgres)'
    # A server in another container would not be noticed otherwise, and two servers destroy the data.
    [[ ! -e $old/postmaster.pid ]] ||
      fail 'PostgreSQL 17 is running or was killed: start it with the previous version of Gradeway, then run docker compose down'
    start "$old"
    pg_dumpall | gzip --fast >"$old/$dump.part"
    stop "$old"
    mv "$old/$dump.part" "$old/$dump"
    echo "upgrade-postgres: dumped PostgreSQL $(<"$old/PG_VERSION"), $(stat -c %s "$old/$dump") bytes"
    ;;
  load)
    [[ ! -s $new/PG_VERSION ]] || fail 'nothing to do: PostgreSQL 18 already has data (volume postgres-18)'
    loading=${new%/*}/loading
    rm -rf "$loading" && mkdir -p "$loading" && chmod 700 "$loading"
    initdb --pgdata="$loading" --auth-local=trust --auth-host=scram-sha-256 >/dev/null
    echo 'host all all all scram-sha-256' >>"$loading/pg_hba.conf"
    start "$loading"
    # The role exists. Its password is set by the next statement of the dump.
    gunzip --stdout "/postgres-17/$dump" | sed 's/^CREATE ROLE postgres;$//' | psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 >/dev/null
    vacuumdb --all --analyze-only --quiet
    stop "$loading"
    mv "$loading" "$new"
    echo "upgrade-postgres: PostgreSQL $(<"$new/PG_VERSION") has the data; that of 17 is unchanged"
    ;;
esac
