-- Files of erased people whose bytes the store still has to delete. Their rows in `files` have already been deleted.

CREATE TABLE erased_files (
  key text PRIMARY KEY,
  user_id integer NOT NULL
);
CREATE INDEX erased_files_of_user ON erased_files (user_id);
