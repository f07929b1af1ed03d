-- Incremented by each published change to a quiz (quiz.changed.v1).
ALTER TABLE quizzes ADD COLUMN revision integer NOT NULL DEFAULT 1;

-- Submissions for quizzes that an earlier version allowed to move to another course. They get a new revision, because
-- the gradebook ignores a grade republished with the same revision (rebuildProjections).
UPDATE submissions s SET course_id = q.course_id, revision = s.revision + 1
FROM quizzes q WHERE q.id = s.quiz_id AND q.course_id <> s.course_id;
