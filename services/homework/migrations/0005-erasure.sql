-- Erased people, so that no late upload restores their data, and their files until the store has deleted them.

\ir ../../../shared/migrations/erased_people-1.sql
\ir ../../../shared/migrations/erased_files-1.sql
