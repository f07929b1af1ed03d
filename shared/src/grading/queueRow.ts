import { anonymousMask, type Mask } from '../items/anonymity.ts';
import { joinTimes, type TimedWork, timeColumns } from '../items/submittedWork.ts';
import { isServiceOf, userEmail, userName, userNameOf } from '../projections/userColumns.ts';
import { wholeClaim } from '../questions/wholeClaim.ts';
import { type GradingTables, totalOf } from './gradingTables.ts';

/** A submission in the queue. Names are null for a deleted account and for one that is not loaded yet. */
export interface QueueRow extends TimedWork {
  id: number;
  /** For internal use only while the student is anonymous. */
  studentId: number;
  /** Replaces the student while the item is anonymous; null otherwise. */
  code: string | null;
  studentName: string | null;
  studentEmail: string | null;
  grade: number | null;
  totalGrade: number | null;
  gradedBy: number | null;
  graderName: string | null;
  graderIsService: boolean | null;
  gradedAt: Date | null;
  /** Null for a claim that has ended. */
  claimedBy: number | null;
  claimerName: string | null;
  claimedUntil: Date | null;
  /** The member of staff who handed in for the student; null if the student did. */
  submittedBy: number | null;
  submitterName: string | null;
}

/** SQL for the columns of a {@link QueueRow}, for a query with {@link rowJoins}. */
export const rowColumns = (tables: GradingTables, mask: Mask = anonymousMask): string => `
  s.id, s.student_id AS "studentId", ${mask.code} AS code, ${mask.name(userName)} AS "studentName",
  ${mask.unlessMasked(userEmail)} AS "studentEmail",
  s.submitted_at AS "submittedAt", s.${tables.grade}::float8 AS grade, ${totalOf(tables)} AS "totalGrade",
  s.graded_by AS "gradedBy", ${userNameOf('grader')} AS "graderName", ${isServiceOf('grader')} AS "graderIsService", s.graded_at AS "gradedAt",
  c.user_id AS "claimedBy", ${userNameOf('claimer')} AS "claimerName", c.claimed_until AS "claimedUntil",
  ${userNameOf('submitter')} AS "submitterName", ${timeColumns}
  ${tables.rowColumns}`;

const personOf = (id: string, alias: string) =>
  `LEFT JOIN LATERAL (SELECT * FROM people WHERE user_id = ${id} LIMIT 1) AS ${alias} ON true`;

/**
 * SQL for the tables that {@link rowColumns} reads in addition to the submission `s`, with one lookup per table and
 * row. The limits keep PostgreSQL from choosing a merge join over all people, which it expects to end early.
 */
export const rowJoins = (tables: GradingTables): string => `
  ${personOf('s.student_id', 'p')}
  ${personOf('s.graded_by', 'grader')}
  LEFT JOIN LATERAL (
    SELECT user_id, claimed_until FROM claims WHERE submission_id = s.id AND claimed_until > now()
    UNION ALL ${wholeClaim('s.id')} LIMIT 1) AS c ON true
  ${personOf('c.user_id', 'claimer')}
  ${personOf('s.submitted_by', 'submitter')}
  ${joinTimes(tables)}`;
