-- Erased people, so that no late event restores their data.

\ir ../../../shared/migrations/erased_people-1.sql
