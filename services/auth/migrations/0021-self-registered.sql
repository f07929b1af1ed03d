-- Whether a sign-in at a provider created the account. Such an account's address counts as the person's only if the provider
-- or an administrator has verified it (src/domain/user.ts).
ALTER TABLE users ADD COLUMN is_self_registered boolean NOT NULL DEFAULT false;
