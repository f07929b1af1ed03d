-- Students see no drafts, and no assignment before it opens. Their lists subtract these from the totals.

CREATE INDEX assignments_not_always_shown ON assignments (class_id) WHERE NOT published OR opens_at IS NOT NULL;
