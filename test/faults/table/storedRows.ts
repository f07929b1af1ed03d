import type { Grading, Kind } from './ledger.ts';
import type { SystemUnderTest } from './system.ts';

export interface StoredSubmission {
  id: number;
  itemId: number;
  studentId: number;
  grade: number | null;
  revision: number;
  /** Number of files that were stored for it, including replaced ones. */
  files: number;
  /** Key of its current file. */
  key: string | null;
  attached: boolean;
  /** Number of events about its uploads, sent or not. */
  events: number;
}

const submissions: Record<Kind, string> = {
  quiz: `
    SELECT s.id, s.quiz_id AS "itemId", s.student_id AS "studentId", s.grade::float8 AS grade, s.revision,
      (1 + (SELECT count(*) FROM quiz.replaced_sheets r WHERE r.submission_id = s.id))::integer AS files,
      f.key, (f.attached_at IS NOT NULL AND f.removed_at IS NULL) IS TRUE AS attached,
      (SELECT count(*) FROM quiz.outbox o WHERE o.type = 'quiz.submission.submitted.v1'
        AND (o.body->'data'->>'submission_id')::integer = s.id)::integer AS events
    FROM quiz.submissions s LEFT JOIN quiz.files f ON f.id = s.file_id
    WHERE s.quiz_id = ANY($1)`,
  homework: `
    SELECT s.id, s.class_id AS "itemId", s.student_id AS "studentId", s.rating::float8 AS grade, s.revision,
      (SELECT count(*) FROM homework.submission_files all_files WHERE all_files.submission_id = s.id)::integer AS files,
      f.key, (f.attached_at IS NOT NULL AND f.removed_at IS NULL) IS TRUE AS attached,
      (SELECT count(*) FROM homework.outbox o WHERE o.type = 'homework.submission.submitted.v1'
        AND (o.body->'data'->>'submission_id')::integer = s.id)::integer AS events
    FROM homework.submissions s
    LEFT JOIN homework.submission_files sf ON sf.submission_id = s.id AND sf.replaced_at IS NULL
    LEFT JOIN homework.files f ON f.id = sf.file_id
    WHERE s.class_id = ANY($1)`,
};

export const submissionRows = (
  system: SystemUnderTest,
  kind: Kind,
  itemIds: number[],
): Promise<StoredSubmission[]> => system.query(submissions[kind], [itemIds]);

interface StoredGrading {
  submissionId: number;
  /** The mark by which the load recognizes its grading (load.ts). */
  mark: number;
  grade: number;
}

const gradings: Record<Kind, string> = {
  quiz: `
    SELECT submission_id AS "submissionId", grade::float8 AS mark, grade::float8 AS grade
    FROM quiz.gradings WHERE submission_id = ANY($1) ORDER BY id`,
  homework: `
    SELECT submission_id AS "submissionId", comment::float8 AS mark, rating::float8 AS grade
    FROM homework.gradings WHERE submission_id = ANY($1) ORDER BY id`,
};

/** The gradings in the history of submissions, oldest first. */
export const gradingRows = (system: SystemUnderTest, kind: Kind, ids: number[]): Promise<StoredGrading[]> =>
  system.query(gradings[kind], [ids]);

interface GradebookEntry {
  submissionId: number;
  grade: number;
  revision: number;
}

const gradebook = `
  SELECT submission_id AS "submissionId", grade::float8 AS grade, revision
  FROM courses.grades WHERE kind = $1 AND submission_id = ANY($2)`;

export const gradebookRows = (
  system: SystemUnderTest,
  kind: Kind,
  ids: number[],
): Promise<GradebookEntry[]> => system.query(gradebook, [kind, ids]);

const unsent = `
  SELECT position FROM quiz.outbox WHERE sent_at IS NULL
  UNION ALL SELECT position FROM homework.outbox WHERE sent_at IS NULL`;

const graded: Record<Kind, string> = {
  quiz: 'SELECT id, revision FROM quiz.submissions WHERE grade IS NOT NULL',
  homework: 'SELECT id, revision FROM homework.submissions WHERE rating IS NOT NULL',
};

/** Whether every event has been published, and the gradebook has the current revision of every grade. */
export async function isSettled(system: SystemUnderTest): Promise<boolean> {
  if ((await system.query(unsent)).length > 0) return false;
  for (const kind of ['quiz', 'homework'] as const) {
    const sql = `
      SELECT s.id FROM (${graded[kind]}) s
      LEFT JOIN courses.grades g ON g.kind = $1 AND g.submission_id = s.id AND g.revision = s.revision
      WHERE g.submission_id IS NULL`;
    if ((await system.query(sql, [kind])).length > 0) return false;
  }
  return true;
}

/** Whether the gradebook has a grade for each submission that was graded. */
export async function areInGradebook(system: SystemUnderTest, gradings: Grading[]): Promise<boolean> {
  for (const kind of ['quiz', 'homework'] as const) {
    const ids = new Set(
      gradings.filter((each) => each.kind === kind).map(({ submissionId }) => submissionId),
    );
    const sql = 'SELECT submission_id FROM courses.grades WHERE kind = $1 AND submission_id = ANY($2)';
    if ((await system.query(sql, [kind, [...ids]])).length < ids.size) return false;
  }
  return true;
}
