import { keysetPages } from '@gradeway/shared/database/keysetPages';
import { query } from '@gradeway/shared/database/query';
import { fileColumns } from '@gradeway/shared/files/fileColumns';
import { annotationsOn, claimsOf, selectionColumns } from '@gradeway/shared/grading/personalGrading';
import type { PersonalRecord } from '@gradeway/shared/personalData/personalDataService';
import type { PersonalFile } from '@gradeway/shared/submissions/streamPersonFiles';
import type { Sequelize } from 'sequelize';

// The current sheet of each submission and the ones that it replaced.
const sheets = `(
  SELECT s.id AS submission_id, s.quiz_id, s.file_id, s.submitted_at, NULL::timestamptz AS replaced_at
  FROM submissions s WHERE s.student_id = $1
  UNION ALL
  SELECT s.id, s.quiz_id, r.file_id, r.submitted_at, r.replaced_at
  FROM submissions s JOIN replaced_sheets r ON r.submission_id = s.id WHERE s.student_id = $1) AS sheet`;

// Each page continues after the id of the last row.
const queries: [kind: string, sql: string][] = [
  [
    'name',
    `SELECT user_id AS id, first_name, last_name, email, mobile FROM people
     WHERE user_id = $1 AND NOT is_deleted AND user_id > $2 LIMIT $3`,
  ],
  /*
   * With `id > $2` as a condition on submissions_of_student, PostgreSQL 18 expects to search this index once for each distinct time
   * of submission. It prefers submissions_one_per_student then, and searches that once for each quiz.
   */
  [
    'submissions',
    `SELECT s.id, s.quiz_id, q.title AS quiz_title, s.course_id, s.class_id, s.submitted_at, s.start_at,
       s.duration_minutes::float8 AS duration_minutes, s.recorded_start_at, s.flags,
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
  ['claims', claimsOf],
];

const filesAfter = `
  SELECT ${fileColumns}, q.id AS "itemId", q.title AS "itemTitle", sheet.submitted_at AS "submittedAt"
  FROM ${sheets} JOIN quizzes q ON q.id = sheet.quiz_id JOIN files f ON f.id = sheet.file_id
  WHERE f.id > $2 AND f.removed_at IS NULL AND f.reduced_at IS NULL ORDER BY f.id LIMIT $3`;

const pageSize = 200;

/** Everything that quiz stores about a person: as a student, and as a grader. */
export async function* personalRecords(sequelize: Sequelize, userId: number): AsyncGenerator<PersonalRecord> {
  for (const [kind, sql] of queries) {
    const pages = keysetPages<{ id: number }>((last) =>
      query(sequelize, { sql, values: [userId, last?.id ?? 0, pageSize] }),
    );
    for await (const page of pages) for (const record of page) yield { kind, record };
  }
}

/** All answer sheets of a person, the replaced ones included. */
export async function* personalFiles(sequelize: Sequelize, userId: number): AsyncGenerator<PersonalFile> {
  const pages = keysetPages<PersonalFile>((last) =>
    query(sequelize, { sql: filesAfter, values: [userId, last?.id ?? 0, pageSize] }),
  );
  for await (const page of pages) yield* page;
}
