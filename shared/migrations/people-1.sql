-- Projection of auth's accounts (shared/src/projections/userProjection.ts).

CREATE TABLE people (
  user_id integer PRIMARY KEY,
  first_name text NOT NULL,
  last_name text NOT NULL,
  email text,
  is_deleted boolean NOT NULL,
  revision integer NOT NULL
);
