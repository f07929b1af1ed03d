#!/bin/sh
# The image of PostgreSQL runs this script when its volume is empty, before it accepts remote connections.
set -eu
export PGOPTIONS="-c gradeway.auth_password=$AUTH_PASSWORD -c gradeway.courses_password=$COURSES_PASSWORD \
  -c gradeway.homework_password=$HOMEWORK_PASSWORD -c gradeway.quiz_password=$QUIZ_PASSWORD \
  -c gradeway.backup_password=${BACKUP_PASSWORD:-}"
psql -v ON_ERROR_STOP=1 --no-psqlrc -U "$POSTGRES_USER" -d "$POSTGRES_DB" -f /docker-entrypoint-initdb.d/sql/roles.sql
