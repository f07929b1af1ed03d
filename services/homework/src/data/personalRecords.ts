import { keysetPages } from '@gradeway/shared/database/keysetPages';
import { query } from '@gradeway/shared/database/query';
import { fileColumns } from '@gradeway/shared/files/fileColumns';
import { annotationsOn, claimsOf, selectionColumns } from '@gradeway/shared/grading/personalGrading';
import type { PersonalRecord } from '@gradeway/shared/personalData/personalDataService';
import type { PersonalFile } from '@gradeway/shared/submissions/streamPersonFiles';
import type { Sequelize } from 'sequelize';

// Each page continues after the id of the last row.
const queries: [kind: string, sql: string][] = [
  [
    'name',
    `SELECT user_id AS id, first_name, last_name, email, mobile FROM people
     WHERE user_id = $1 AND NOT is_deleted AND user_id > $2 LIMIT $3`,
  ],
  [
    'submissions',
    `SELECT s.id, s.class_id, c.title AS class_title, c.course_id, s.submitted_at, s.rating, s.comment, s.graded_at,
       ${selectionColumns('s')}
     FROM submissions s JOIN classes c USING (class_id)
     WHERE s.student_id = $1 AND s.id > $2 ORDER BY s.id LIMIT $3`,
  ],
  [
    'files',
    `SELECT f.id, sf.submission_id, f.name, f.size::float8 AS size, f.sha256, sf.submitted_at, sf.replaced_at
     FROM submissions s JOIN submission_files sf ON sf.submission_id = s.id JOIN files f ON f.id = sf.file_id
     WHERE s.student_id = $1 AND f.id > $2 ORDER BY f.id LIMIT $3`,
  ],
  [
    'gradings_received',
    `SELECT g.id, g.submission_id, g.rating, g.comment, g.graded_at, g.reason, ${selectionColumns('g')}
     FROM submissions s JOIN gradings g ON g.submission_id = s.id
     WHERE s.student_id = $1 AND g.id > $2 ORDER BY g.id LIMIT $3`,
  ],
  [
    'gradings_made',
    `SELECT id, submission_id, rating, comment, graded_at, reason, ${selectionColumns('g')} FROM gradings g
     WHERE graded_by = $1 AND id > $2 ORDER BY id LIMIT $3`,
  ],
  [
    'annotations',
    annotationsOn(`submissions s JOIN submission_files sf ON sf.submission_id = s.id AND s.student_id = $1
      JOIN annotations a ON a.file_id = sf.file_id`),
  ],
  ['claims', claimsOf],
];

const filesAfter = `
  SELECT ${fileColumns}, s.class_id AS "itemId", c.title AS "itemTitle", sf.submitted_at AS "submittedAt"
  FROM submissions s JOIN classes c USING (class_id)
    JOIN submission_files sf ON sf.submission_id = s.id JOIN files f ON f.id = sf.file_id
  WHERE s.student_id = $1 AND f.id > $2 AND f.removed_at IS NULL AND f.reduced_at IS NULL ORDER BY f.id LIMIT $3`;

const pageSize = 200;

/** Everything that homework stores about a person: as a student, and as a grader. */
export async function* personalRecords(sequelize: Sequelize, userId: number): AsyncGenerator<PersonalRecord> {
  for (const [kind, sql] of queries) {
    const pages = keysetPages<{ id: number }>((last) =>
      query(sequelize, { sql, values: [userId, last?.id ?? 0, pageSize] }),
    );
    for await (const page of pages) for (const record of page) yield { kind, record };
  }
}

/** All files that a person submitted, the replaced ones included. */
export async function* personalFiles(sequelize: Sequelize, userId: number): AsyncGenerator<PersonalFile> {
  const pages = keysetPages<PersonalFile>((last) =>
    query(sequelize, { sql: filesAfter, values: [userId, last?.id ?? 0, pageSize] }),
  );
  for await (const page of pages) yield* page;
}
