import { millisecondsAgo, type RetentionQueries } from '@gradeway/shared/retention/retention';

// One index lookup in submissions for each quiz. A join would read all submissions.
const courses = `
  SELECT course_id FROM quizzes q
  WHERE (SELECT true FROM submissions s WHERE s.quiz_id = q.id LIMIT 1)`;

// Uses the current course of the quiz, not the submission's.
const ofFinishedCourses =
  'finished_courses fc JOIN quizzes q USING (course_id) JOIN submissions s ON s.quiz_id = q.id';

/** The answer sheets that are past their retention. */
export const retentionQueries: RetentionQueries = {
  coursesWithFiles: courses,
  replacedFiles: `SELECT file_id FROM replaced_sheets WHERE replaced_at < ${millisecondsAgo}`,
  finishedFiles: `
    SELECT s.file_id
    FROM ${ofFinishedCourses}
    WHERE fc.finished_at < ${millisecondsAgo} AND s.file_id IS NOT NULL
    UNION ALL
    SELECT r.file_id
    FROM ${ofFinishedCourses}
      JOIN replaced_sheets r ON r.submission_id = s.id
    WHERE fc.finished_at < ${millisecondsAgo}`,
  detach: [
    'UPDATE submissions SET file_id = NULL WHERE file_id = ANY($1)',
    'DELETE FROM replaced_sheets WHERE file_id = ANY($1)',
  ],
};
