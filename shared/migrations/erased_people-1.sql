-- The people whose data was erased (shared/src/personalData/erasedPeople.ts), identified only by the id of the deleted account.

CREATE TABLE erased_people (
  user_id integer PRIMARY KEY,
  keeps_grades boolean NOT NULL,
  erased_at timestamptz NOT NULL DEFAULT now()
);
