-- How teachers manage coursework: drafts, grade release, individual deadlines, late work.

\ir ../../../shared/migrations/items-1.sql

ALTER TABLE assignments
  ADD COLUMN published boolean NOT NULL DEFAULT true,
  -- Whether grades are visible immediately or only after their release.
  ADD COLUMN release text NOT NULL DEFAULT 'immediate' CHECK (release IN ('immediate', 'manual')),
  -- When the grades will be released automatically.
  ADD COLUMN release_at timestamptz,
  -- When the grades were released; null while they are withheld, and always null if the release is immediate.
  ADD COLUMN released_at timestamptz,
  -- LateRule in shared/src/items/item.ts; null if no late work is accepted.
  ADD COLUMN late jsonb,
  ADD COLUMN submission_order text NOT NULL DEFAULT 'arrival' CHECK (submission_order IN ('arrival', 'shuffled')),
  ADD COLUMN anonymous boolean NOT NULL DEFAULT false,
  ADD COLUMN graders_edit_rubric boolean NOT NULL DEFAULT true,
  ADD COLUMN opens_at timestamptz,
  ADD COLUMN created_at timestamptz NOT NULL DEFAULT now(),
  -- Increments with each published change.
  ADD COLUMN revision integer NOT NULL DEFAULT 0;
CREATE INDEX assignments_release_due ON assignments (release_at) WHERE release_at IS NOT NULL;

ALTER TABLE submissions
  -- The staff member who handed in for the student; null if the student did.
  ADD COLUMN submitted_by integer,
  -- Whether a teacher has waived the penalty for late work.
  ADD COLUMN late_waived boolean NOT NULL DEFAULT false,
  ADD COLUMN code text NOT NULL DEFAULT random_code(),
  -- Increments with each upload and each change to late_waived.
  ADD COLUMN state_revision integer NOT NULL DEFAULT 0;
-- The shuffled order of the queue.
CREATE INDEX submissions_shuffled ON submissions (class_id, code, id);

UPDATE assignments a SET created_at = c.created_at FROM classes c WHERE c.class_id = a.class_id;
