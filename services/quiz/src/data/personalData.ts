import { query } from '@gradeway/shared/database/query';
import { fileColumns } from '@gradeway/shared/files/fileColumns';
import { annotationsOn, selectionColumns } from '@gradeway/shared/grading/personalGrading';
import { eraseSubmissions } from '@gradeway/shared/submissions/eraseSubmissions';
import type { PersonalSubmissions } from '@gradeway/shared/submissions/personalSubmissions';

// The current sheet of each submission and the sheets it replaced.
const sheets = `(
  SELECT s.id AS submission_id, s.quiz_id, s.file_id, s.submitted_at, NULL::timestamptz AS replaced_at
  FROM submissions s WHERE s.student_id = $1
  UNION ALL
  SELECT s.id, s.quiz_id, r.file_id, r.submitted_at, r.replaced_at
  FROM submissions s JOIN replaced_sheets r ON r.submission_id = s.id WHERE s.student_id = $1) AS sheet`;

const records: PersonalSubmissions['records'] = [
  /*
   * For `id > $2` on submissions_of_student, PostgreSQL 18 estimates one search of this index for each distinct
   * submission time. It then prefers submissions_one_per_student, and searches that once for each quiz.
   */
  [
    'submissions',
    `SELECT s.id, s.quiz_id, q.title AS quiz_title, s.course_id, s.class_id, s.submitted_at, s.start_at,
       s.duration_minutes::float8 AS duration_minutes, s.recorded_start_at, s.flags, s.late_waived,
       s.grade::float8 AS grade, s.total_grade::float8 AS total_grade, s.comment, s.graded_at,
       ${selectionColumns('s')}
     FROM submissions s JOIN quizzes q ON q.id = s.quiz_id
     WHERE s.student_id = $1 AND s.id + 0 > $2 ORDER BY s.id LIMIT $3`,
  ],
  [
    'files',
    `SELECT f.id, sheet.submission_id, f.name, f.size::float8 AS size, f.sha256, sheet.submitted_at, sheet.replaced_at
     FROM ${sheets} JOIN files f ON f.id = sheet.file_id
     WHERE f.id > $2 ORDER BY f.id LIMIT $3`,
  ],
  [
    'replaced_sheets',
    `SELECT r.id, r.submission_id, r.submitted_at, r.replaced_at, r.start_at,
       r.duration_minutes::float8 AS duration_minutes, r.recorded_start_at, r.flags
     FROM submissions s JOIN replaced_sheets r ON r.submission_id = s.id
     WHERE s.student_id = $1 AND r.id > $2 ORDER BY r.id LIMIT $3`,
  ],
  [
    'openings',
    `SELECT quiz_id AS id, started_at FROM quiz_starts
     WHERE student_id = $1 AND quiz_id > $2 ORDER BY quiz_id LIMIT $3`,
  ],
  [
    'gradings_received',
    `SELECT g.id, g.submission_id, g.grade::float8 AS grade, g.total_grade::float8 AS total_grade, g.comment,
       g.graded_at, g.reason, ${selectionColumns('g')}
     FROM submissions s JOIN gradings g ON g.submission_id = s.id
     WHERE s.student_id = $1 AND g.id > $2 ORDER BY g.id LIMIT $3`,
  ],
  [
    'gradings_made',
    `SELECT id, submission_id, grade::float8 AS grade, total_grade::float8 AS total_grade, comment, graded_at, reason,
       ${selectionColumns('g')}
     FROM gradings g WHERE graded_by = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ],
  ['annotations', annotationsOn(`${sheets} JOIN annotations a ON a.file_id = sheet.file_id`)],
];

const files = `
  SELECT ${fileColumns}, q.id AS "itemId", q.title AS "itemTitle", sheet.submitted_at AS "submittedAt"
  FROM ${sheets} JOIN quizzes q ON q.id = sheet.quiz_id JOIN files f ON f.id = sheet.file_id
  WHERE f.id > $2 AND f.removed_at IS NULL AND f.reduced_at IS NULL ORDER BY f.id LIMIT $3`;

const filesOf = `
  SELECT file_id AS "fileId" FROM submissions WHERE id = ANY($1) AND file_id IS NOT NULL
  UNION SELECT file_id FROM replaced_sheets WHERE submission_id = ANY($1)`;
const deleteReplaced = 'DELETE FROM replaced_sheets WHERE submission_id = ANY($1)';
const detachSheets = `
  UPDATE submissions SET file_id = NULL, recorded_start_at = NULL, flags = '{}' WHERE id = ANY($1)`;
const deleteStarts = 'DELETE FROM quiz_starts WHERE student_id = $1';

/** The personal data in quiz's tables. */
export const personalData: PersonalSubmissions = {
  records,
  files,
  async erase(sequelize, person, transaction) {
    const tables = { grade: 'grade', detachFiles: [filesOf, deleteReplaced, detachSheets] } as const;
    const fileIds = await eraseSubmissions(sequelize, person, tables, transaction);
    await query(sequelize, { sql: deleteStarts, values: [person.userId], transaction });
    return fileIds;
  },
};
