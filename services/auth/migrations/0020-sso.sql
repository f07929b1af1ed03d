-- Single sign-on with OpenID Connect (src/singleSignOn).

-- Whom a provider identifies. An issuer never assigns a subject to another person.
CREATE TABLE identities (
  id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL REFERENCES users,
  issuer text NOT NULL,
  subject text NOT NULL,
  -- The id in OIDC_PROVIDERS, and the address that the provider gave, both when the identity was linked.
  provider text NOT NULL,
  email text,
  linked_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT identities_subject UNIQUE (issuer, subject)
);
CREATE INDEX identities_of_user ON identities (user_id, id);

-- Sign-ins in progress. The browser keeps the state in a cookie; each row is used once.
CREATE TABLE sign_ins (
  state_hash text PRIMARY KEY,
  provider text NOT NULL,
  redirect_uri text NOT NULL,
  nonce text NOT NULL,
  code_verifier text NOT NULL,
  -- The page to show afterwards.
  next text NOT NULL,
  -- The account and session to which an identity is being linked; null for a login.
  user_id integer REFERENCES users,
  session_id integer,
  -- The identity that the provider confirmed, while the login waits for a second factor.
  confirmed jsonb,
  expires_at timestamptz NOT NULL DEFAULT now() + interval '10 minutes'
);
CREATE INDEX sign_ins_age ON sign_ins (expires_at);
CREATE INDEX sign_ins_of_user ON sign_ins (user_id);

-- The sessions that a provider opened and can end.
CREATE TABLE sso_sessions (
  session_id integer PRIMARY KEY REFERENCES sessions ON DELETE CASCADE,
  provider text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  -- The provider's own id of the session, if it gave one.
  sid text
);
CREATE INDEX sso_sessions_of_subject ON sso_sessions (issuer, subject);
CREATE INDEX sso_sessions_of_sid ON sso_sessions (issuer, sid);

-- The logout tokens that have been applied; each takes effect once.
CREATE TABLE logout_tokens (
  issuer text NOT NULL,
  jti text NOT NULL,
  expires_at timestamptz NOT NULL,
  PRIMARY KEY (issuer, jti)
);
CREATE INDEX logout_tokens_age ON logout_tokens (expires_at);
