-- Submission codes are unique within an item, so that no two anonymous students share a name.

-- Until the index exists, replicas of the previous version must not insert another duplicate.
LOCK TABLE submissions IN SHARE ROW EXCLUSIVE MODE;

-- The first of several submissions with the same code keeps it. A new code can also be a duplicate.
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

-- Replaces submissions_shuffled: within an item, ordering by code and id is the same as ordering by code.
CREATE UNIQUE INDEX submissions_code ON submissions (class_id, code);
DROP INDEX submissions_shuffled;

/*
 * Replaces the code of a new submission until no other one for its item has it.
 *
 * A transaction that chooses a code holds a lock on it until it commits; others do not wait, but choose another code, so that no
 * upload violates the index. There are a thousand locks, because a statement that inserts many submissions holds all of theirs.
 */
CREATE FUNCTION make_code_unique() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT
-- The query is planned once, possibly while the table is still empty; that plan would then scan all rows added by a
-- statement.
SET enable_seqscan = off
AS $$
BEGIN
  LOOP
    -- The lock is taken in its own statement, so that the next statement sees what the previous lock holder has
    -- committed.
    IF pg_try_advisory_xact_lock(hashtext('submission code'), abs(hashtext(NEW.class_id || NEW.code) % 1000)) THEN
      EXIT WHEN NOT EXISTS (SELECT FROM submissions WHERE class_id = NEW.class_id AND code = NEW.code);
    END IF;
    NEW.code := random_code();
  END LOOP;
  RETURN NEW;
END
$$;
CREATE TRIGGER unique_code BEFORE INSERT ON submissions FOR EACH ROW EXECUTE FUNCTION make_code_unique();
-- This trigger also fires in bulk loads that skip other triggers.
ALTER TABLE submissions ENABLE ALWAYS TRIGGER unique_code;
