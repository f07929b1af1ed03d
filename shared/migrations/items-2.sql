/*
 * Replaces the code of a new submission until no other submission for its item has it, so that no two students have the same name
 * while they are anonymous. The argument of the trigger is the column of the item.
 *
 * A transaction that chooses a code holds a lock on it until it commits; others do not wait, but choose another code, so that no
 * upload violates the unique index. There are a thousand locks, because a statement that inserts many submissions holds all of
 * theirs.
 */
CREATE FUNCTION make_code_unique() RETURNS trigger
LANGUAGE plpgsql SET search_path FROM CURRENT
AS $$
DECLARE
  item integer := to_jsonb(NEW)->>TG_ARGV[0];
  is_taken boolean;
BEGIN
  LOOP
    IF pg_try_advisory_xact_lock(hashtext('submission code'), abs(hashtext(item || NEW.code) % 1000)) THEN
      EXECUTE format('SELECT EXISTS (SELECT FROM submissions WHERE %I = $1 AND code = $2)', TG_ARGV[0])
        INTO is_taken USING item, NEW.code;
      EXIT WHEN NOT is_taken;
    END IF;
    NEW.code := random_code();
  END LOOP;
  RETURN NEW;
END
$$;
