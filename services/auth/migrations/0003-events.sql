-- The outbox of published events.

\ir ../../../shared/migrations/outbox-1.sql
