-- The people whose data was erased (shared/src/personalData/erasedPeople.ts): only the number of a deleted account.

CREATE TABLE erased_people (
  user_id integer PRIMARY KEY,
  keeps_grades boolean NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT now()
);
