-- Projected service accounts.

\ir ../../../shared/migrations/people-3.sql
