-- Erased people. Prevents late events from restoring their data.

\ir ../../../shared/migrations/erased_people-1.sql
