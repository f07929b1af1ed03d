-- The token that the current one replaced, while a refresh still accepts it (D52).
ALTER TABLE sessions
  ADD COLUMN replaced_token_id uuid,
  ADD COLUMN replaced_token_until timestamptz;
