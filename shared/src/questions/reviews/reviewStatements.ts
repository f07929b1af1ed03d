import type { GradingTables } from '../../grading/gradingTables.ts';
import { anonymousMask } from '../../items/anonymity.ts';
import type { ItemSettings } from '../../items/item.ts';
import { itemJoin } from '../../items/visibility.ts';
import { userEmail, userName, userNameOf } from '../../projections/userColumns.ts';
import type { Review } from './review.ts';

/** A review as graders see it. Names are null for deleted accounts and for those that are not loaded yet. */
export interface ReviewRow extends Review {
  /** The course whose instructors grade. */
  itemCourseId: number;
  /** Replaces the student while the item is anonymous; null otherwise. */
  code: string | null;
  studentName: string | null;
  studentEmail: string | null;
  /** Null for the whole submission, and for a question that was removed. */
  label: string | null;
  answererName: string | null;
}

/** Determines whether a review of a submission, or of one of its answers, can be opened. */
export interface ReviewOpening extends Pick<ItemSettings, 'release' | 'releasedAt'> {
  /** False if the item has no such question. */
  hasQuestion: boolean;
  /** Whether a review of the same work is open. */
  hasOpen: boolean;
  /** The number of reviews that the student has asked for. */
  asked: number;
  grade: number | null;
  rule: ItemSettings['reviews'];
}

/** SQL for the current points of a question, or the current grade of a submission `s`; null while it is ungraded. */
const gradeOf = (questionId: string, { grade }: GradingTables) => `
  CASE WHEN ${questionId} IS NULL THEN s.${grade}
    ELSE (SELECT a.points FROM answers a WHERE a.submission_id = s.id AND a.question_id = ${questionId}) END`;

// The grader of the submission or answer under review.
const graderOf = `
  CASE WHEN r.question_id IS NULL THEN (SELECT s.graded_by FROM submissions s WHERE s.id = r.submission_id)
    ELSE (SELECT a.graded_by FROM answers a
      WHERE a.submission_id = r.submission_id AND a.question_id = r.question_id) END`;

const oldestFirst = 'r.created_at, r.id';

export function reviewStatements(tables: GradingTables) {
  const { itemId, itemCourseId, courseId, grade } = tables;
  const rows = `
    SELECT r.id, r.submission_id AS "submissionId", r.item_id AS "itemId", ${courseId} AS "courseId",
      ${itemCourseId} AS "itemCourseId", s.student_id AS "studentId", ${anonymousMask.code} AS code,
      ${anonymousMask.name(userName)} AS "studentName", ${anonymousMask.unlessMasked(userEmail)} AS "studentEmail",
      r.question_id AS "questionId", q.label, r.text, r.state, r.answer, r.answered_by AS "answeredBy",
      ${userNameOf('answerer')} AS "answererName", r.grade_before::float8 AS "gradeBefore",
      r.grade_after::float8 AS "gradeAfter", r.created_at AS "createdAt", r.closed_at AS "closedAt", r.revision
    FROM reviews r JOIN submissions s ON s.id = r.submission_id ${itemJoin(tables)}
      LEFT JOIN questions q ON q.id = r.question_id
      LEFT JOIN people p ON p.user_id = s.student_id
      LEFT JOIN people answerer ON answerer.user_id = r.answered_by`;
  const listed = (condition: string, order: string, parameters: [limit: string, offset: string]) => ({
    count: `SELECT count(*)::int AS total FROM reviews r WHERE ${condition}`,
    page: `${rows} WHERE ${condition} ORDER BY ${order} LIMIT ${parameters[0]} OFFSET ${parameters[1]}`,
  });
  const closed = (gradeAfter: string) => `
    state = 'closed', answer = $2, answered_by = $3, closed_at = now(), revision = r.revision + 1, claimed_by = NULL,
    claimed_until = NULL, grade_after = ${gradeAfter}`;
  return {
    find: `${rows} WHERE r.id = $1`,
    findAll: `${rows} WHERE r.id = ANY($1::integer[]) ORDER BY r.id`,
    opening: `
      SELECT ($2::integer IS NULL OR EXISTS (
          SELECT FROM answers a WHERE a.submission_id = s.id AND a.question_id = $2)) AS "hasQuestion",
        EXISTS (
          SELECT FROM reviews r WHERE r.submission_id = s.id AND r.state = 'open'
            AND coalesce(r.question_id, 0) = coalesce($2::integer, 0)) AS "hasOpen",
        (SELECT count(*)::int FROM reviews r WHERE r.submission_id = s.id AND r.is_by_student) AS asked,
        s.${grade}::float8 AS grade, item.reviews AS rule, item.release, item.released_at AS "releasedAt"
      FROM submissions s ${itemJoin(tables)} WHERE s.id = $1`,
    lock: 'SELECT FROM reviews WHERE id = $1 FOR NO KEY UPDATE',
    open: `
      INSERT INTO reviews (submission_id, item_id, question_id, text, opened_by, is_by_student, grade_before)
      SELECT s.id, s.${itemId}, $2::integer, $3, $4::integer, $5::boolean, ${gradeOf('$2::integer', tables)}
      FROM submissions s WHERE s.id = $1 RETURNING id`,
    close: `
      UPDATE reviews r SET ${closed(gradeOf('r.question_id', tables))}
      FROM submissions s WHERE r.id = $1 AND s.id = r.submission_id`,
    closeOfQuestions: `
      UPDATE reviews r SET ${closed('NULL')}
      WHERE r.item_id = $1 AND r.question_id = ANY($4::integer[]) AND r.state = 'open' RETURNING r.id`,
    ofSubmission: listed('r.submission_id = $1', oldestFirst, ['$2', '$3']),
    ofItem: listed(
      'r.item_id = $1 AND ($2::text IS NULL OR r.state = $2)',
      `(r.state = 'closed'), ${oldestFirst}`,
      ['$3', '$4'],
    ),
    lockNext: "SELECT pg_advisory_xact_lock(hashtext('next review'), $1)",
    // The review that the grader has already claimed comes first, then reviews of gradings by others.
    next: `
      WITH candidate AS (
        SELECT id FROM (
          SELECT r.*, r.claimed_until > statement_timestamp() AS is_claimed FROM reviews r
          WHERE r.item_id = $1 AND r.state = 'open') AS r
        WHERE is_claimed IS NOT TRUE OR r.claimed_by = $2
        ORDER BY (is_claimed IS TRUE) DESC, (${graderOf}) IS NOT DISTINCT FROM $2, ${oldestFirst} LIMIT 1),
      claimed AS (
        UPDATE reviews r
        SET claimed_by = $2, claimed_until = statement_timestamp() + $3::float8 * interval '1 millisecond'
        FROM candidate WHERE r.id = candidate.id AND r.state = 'open' RETURNING r.id)
      SELECT (SELECT id FROM candidate) AS candidate, (SELECT id FROM claimed) AS claimed`,
    endAll:
      'UPDATE reviews SET claimed_by = NULL, claimed_until = NULL WHERE claimed_by = ANY($1::integer[])',
    endInCourse: `
      UPDATE reviews r SET claimed_by = NULL, claimed_until = NULL FROM submissions s
      WHERE r.claimed_by = $1 AND s.id = r.submission_id AND ${itemCourseId} = $2`,
  };
}
