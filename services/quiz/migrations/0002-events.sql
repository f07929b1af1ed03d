-- The outbox of published events and the inbox of consumed ones.

\ir ../../../shared/migrations/outbox-1.sql
\ir ../../../shared/migrations/inbox-1.sql
