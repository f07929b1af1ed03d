-- Signing keys that may have leaked. They no longer verify anything, not even receipts.
ALTER TABLE signing_keys ADD COLUMN revoked_at timestamptz;

-- Their ids are in the list that every process polls, so that cached keys are rejected within two seconds.
ALTER TABLE revocations ADD COLUMN key_id text;
ALTER TABLE revocations DROP CONSTRAINT revocations_of_one;
ALTER TABLE revocations ADD CONSTRAINT revocations_of_one CHECK (num_nonnulls(session_id, token_id, key_id) = 1);
