-- Incremented by each published change of a quiz (quiz.changed.v1).
ALTER TABLE quizzes ADD COLUMN revision integer NOT NULL DEFAULT 1;

-- Submissions of quizzes that an earlier version let move to another course. Under another revision, because the gradebook
-- ignores a grade that is republished under the same one (rebuildProjections).
UPDATE submissions s SET course_id = q.course_id, revision = s.revision + 1
FROM quizzes q WHERE q.id = s.quiz_id AND q.course_id <> s.course_id;
