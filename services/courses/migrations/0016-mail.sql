-- Messages to students and teachers (src/notifications). The tables contain no address: it is looked up when a message is sent.

-- What a person chose. A person without a row has the defaults.
CREATE TABLE mail_preferences (
  user_id integer PRIMARY KEY,
  language text NOT NULL DEFAULT 'en' CHECK (language IN ('en', 'ar')),
  -- The kinds that differ from their defaults, each `mail`, `digest` or `off`.
  kinds jsonb NOT NULL DEFAULT '{}',
  -- Signs the person's links to unsubscribe.
  unsubscribe_key uuid NOT NULL DEFAULT gen_random_uuid()
);

CREATE TABLE mail_messages (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  user_id integer NOT NULL,
  -- Identifies the event, so that it never creates a second message.
  key text COLLATE "C" NOT NULL,
  kind text NOT NULL,
  -- Null in a digest.
  item_kind text CHECK (item_kind IN ('homework', 'quiz')),
  item_id integer,
  submission_id integer,
  -- The time from which the message is useless, such as the closing time in a reminder.
  useless_at timestamptz,
  -- The digest that it is part of.
  digest_id bigint,
  status text NOT NULL DEFAULT 'waiting' CHECK (status IN ('waiting', 'sent', 'dropped', 'failed')),
  -- When it is due; after a failed attempt, the time of the next one.
  due_at timestamptz NOT NULL DEFAULT now(),
  -- When it was first due.
  waiting_since timestamptz NOT NULL DEFAULT now(),
  attempts integer NOT NULL DEFAULT 0,
  -- Whether the mail server rejected it, as opposed to being unreachable.
  is_refused boolean NOT NULL DEFAULT false,
  -- The last attempt, for the limit per minute.
  attempted_at timestamptz,
  -- The end of the current claim, and the number of claims, which distinguishes the current one from expired ones.
  claimed_until timestamptz,
  claims integer NOT NULL DEFAULT 0,
  created_at timestamptz NOT NULL DEFAULT now(),
  CONSTRAINT mail_messages_once UNIQUE (user_id, key)
);
CREATE INDEX mail_messages_due ON mail_messages (due_at) WHERE status = 'waiting' AND digest_id IS NULL;
CREATE INDEX mail_messages_oldest ON mail_messages (waiting_since)
  WHERE status = 'waiting' AND digest_id IS NULL AND NOT is_refused;
CREATE INDEX mail_messages_attempted ON mail_messages (attempted_at) WHERE attempted_at IS NOT NULL;
CREATE INDEX mail_messages_of_digest ON mail_messages (digest_id) WHERE digest_id IS NOT NULL;
CREATE INDEX mail_messages_of_item ON mail_messages (item_kind, item_id) WHERE status = 'waiting';
CREATE INDEX mail_messages_age ON mail_messages (created_at);
-- Gradings in quick succession create one message per student.
CREATE UNIQUE INDEX mail_messages_one_of_grades ON mail_messages (user_id, item_kind, item_id)
  WHERE kind = 'grades.released' AND status = 'waiting' AND digest_id IS NULL AND claims = 0;

-- Items to examine later: those whose grades were released, and those that may be completely graded.
CREATE TABLE mail_triggers (
  kind text NOT NULL CHECK (kind IN ('grades.released', 'grading.finished')),
  item_kind text NOT NULL CHECK (item_kind IN ('homework', 'quiz')),
  item_id integer NOT NULL,
  due_at timestamptz NOT NULL,
  PRIMARY KEY (kind, item_kind, item_id)
);
CREATE INDEX mail_triggers_due ON mail_triggers (due_at);

-- Closing times within the next day, of items and of individual students. A large installation creates them
-- CONCURRENTLY before this migration, which locks the tables against writes.
CREATE INDEX IF NOT EXISTS gradebook_items_closing ON gradebook_items (closes_at) WHERE published AND NOT is_deleted;
CREATE INDEX IF NOT EXISTS gradebook_allowances_closing ON gradebook_allowances (closes_at) WHERE closes_at IS NOT NULL;
-- Whether all submissions of an item are graded.
CREATE INDEX IF NOT EXISTS gradebook_submissions_of_item ON gradebook_submissions (kind, item_id);
CREATE INDEX IF NOT EXISTS grades_of_item ON grades (kind, item_id, student_id);
