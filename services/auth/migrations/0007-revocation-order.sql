-- The order in which revocations become visible (src/data/revocationRepository.ts). Replicas of the previous version still
-- read in the order of created_at.

ALTER TABLE revocations
  -- Existing rows get the migration's own: every reader that has not seen this column starts over.
  ADD COLUMN transaction_id xid8 NOT NULL DEFAULT pg_current_xact_id();
CREATE INDEX revocations_by_transaction ON revocations (transaction_id, id);
