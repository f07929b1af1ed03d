-- The codes that replace anonymous students are unique within an item.

\ir ../../../shared/migrations/items-2.sql

-- Until the index exists, replicas of the previous version must not insert another duplicate.
LOCK TABLE submissions IN SHARE ROW EXCLUSIVE MODE;

-- Of submissions with the same code, the first keeps it. A new code can be a duplicate, too.
DO $$
BEGIN
  LOOP
    UPDATE submissions SET code = random_code() WHERE id IN (
      SELECT id FROM (
        SELECT id, row_number() OVER (PARTITION BY class_id, code ORDER BY id) AS place FROM submissions) AS numbered
      WHERE place > 1);
    EXIT WHEN NOT FOUND;
  END LOOP;
END
$$;

CREATE UNIQUE INDEX submissions_code ON submissions (class_id, code);
CREATE TRIGGER unique_code BEFORE INSERT ON submissions
  FOR EACH ROW EXECUTE FUNCTION make_code_unique('class_id');
-- Also in bulk loads, which skip other triggers.
ALTER TABLE submissions ENABLE ALWAYS TRIGGER unique_code;
