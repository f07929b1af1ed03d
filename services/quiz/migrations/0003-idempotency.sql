-- Results of requests with an Idempotency-Key.

\ir ../../../shared/migrations/idempotency-1.sql
