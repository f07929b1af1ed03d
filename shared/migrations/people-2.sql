-- Mobile numbers of the projected accounts, and the text that searches match. Numbers arrive with the next event of an account, or
-- with a rebuild of the projections.

ALTER TABLE people ADD COLUMN mobile text;
ALTER TABLE people ADD COLUMN search_text text COLLATE "C"
  GENERATED ALWAYS AS (people_search_text(first_name, last_name, email, mobile)) STORED;
