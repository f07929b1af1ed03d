-- Where each account has logged in from (D50): failed logins from elsewhere do not count against its owner there.

CREATE TABLE login_addresses (
  user_id integer NOT NULL REFERENCES users,
  -- An IPv4 address, or the /64 network of an IPv6 address.
  network text NOT NULL,
  last_login_at timestamptz NOT NULL,
  PRIMARY KEY (user_id, network)
);
CREATE INDEX login_addresses_age ON login_addresses (last_login_at);
