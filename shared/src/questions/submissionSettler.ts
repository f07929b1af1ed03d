import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import type { CloudEvent } from '../events/cloudEvent.ts';
import { type GradableSubmission, gradableColumns } from '../grading/gradableRepository.ts';
import type { GradedKind } from '../grading/gradedKind.ts';
import type { Grade } from '../grading/gradeResult.ts';
import { type GradingTables, totalOf } from '../grading/gradingTables.ts';
import { itemJoin } from '../items/visibility.ts';
import { type AnswerCounts, gradeByQuestions } from './gradeByQuestions.ts';

interface CountedSubmission extends GradableSubmission, AnswerCounts {
  /** The grader of the answer that was graded last. */
  lastGrader: number | null;
  lastGradedAt: Date | null;
}

/** A submission whose grade was changed by its answers. */
export interface SettledSubmission {
  id: number;
  from: Grade | null;
  to: Grade | null;
}

interface Settled {
  changes: SettledSubmission[];
  /** The events of the changes, which the caller adds to the outbox. */
  events: CloudEvent[];
}

/**
 * Gives submissions the grades that their answers determine, after a change of answers or of the outline: the exact sum
 * of the points once all are graded, no grade before that. A changed grade is added to the history.
 */
export class SubmissionSettler {
  readonly #db: Sequelize;
  readonly #kind: GradedKind;
  readonly #sql: ReturnType<typeof statements>;

  constructor(sequelize: Sequelize, kind: GradedKind) {
    this.#db = sequelize;
    this.#kind = kind;
    this.#sql = statements(kind.tables);
  }

  /**
   * @param ids submissions that the transaction has locked, at most a few thousand
   * @param userId the person who makes the change, for the history
   */
  async settle(ids: number[], userId: number, at: Date, transaction: Transaction): Promise<Settled> {
    const { find, write } = this.#sql;
    const found = await query<CountedSubmission>(this.#db, {
      name: 'submissions with counted answers',
      sql: find,
      values: [ids],
      transaction,
    });
    const results = found.flatMap((submission) => this.#resultOf(submission) ?? []);
    const rows = results.map(({ before, grade, isChanged }) => ({
      id: before.id,
      grade: grade?.grade ?? null,
      totalGrade: grade?.totalGrade ?? null,
      gradedBy: grade && before.lastGrader,
      gradedAt: grade && before.lastGradedAt,
      isChanged,
    }));
    const values = [JSON.stringify(rows), userId, at];
    await query(this.#db, { name: 'settled submissions', sql: write, values, transaction });
    const changed = results.filter(({ isChanged }) => isChanged);
    return {
      changes: changed.map(({ before, grade }) => ({ id: before.id, from: gradeBefore(before), to: grade })),
      events: changed.map(({ before, grade }) => this.#eventOf(before, grade)),
    };
  }

  #resultOf(before: CountedSubmission) {
    const grade = gradeByQuestions(this.#kind.rule, before);
    if (grade === 'kept') return undefined;
    const isChanged =
      before.grade !== (grade?.grade ?? null) || before.totalGrade !== (grade?.totalGrade ?? null);
    return { before, grade, isChanged };
  }

  #eventOf(before: CountedSubmission, grade: Grade | null): CloudEvent {
    const revision = before.revision + 1;
    const { lastGrader: gradedBy, lastGradedAt: gradedAt } = before;
    if (grade === null || gradedBy === null || gradedAt === null)
      return this.#kind.ungradedEvent({ ...before, revision });
    return this.#kind.gradedEvent({ ...before, ...grade, gradedBy, gradedAt, revision });
  }
}

const gradeBefore = ({ grade, totalGrade }: GradableSubmission): Grade | null =>
  grade === null || totalGrade === null ? null : { grade, totalGrade };

function statements(tables: GradingTables) {
  const { grade, totalGrade } = tables;
  const total = (value: string) => (totalGrade ? `${totalGrade}${value}, ` : '');
  return {
    find: `
      SELECT s.id, s.student_id AS "studentId", s.submitted_at AS "submittedAt", s.${grade}::float8 AS grade,
        ${totalOf(tables)} AS "totalGrade", s.graded_by AS "gradedBy", s.graded_at AS "gradedAt",
        ${gradableColumns(tables)}, counted.*
      FROM submissions s ${itemJoin(tables)} CROSS JOIN LATERAL (
        SELECT count(*)::int AS answers, count(a.points)::int AS graded,
          coalesce(bool_or(a.points IS NULL AND NOT a.is_waiting), false) AS "isWhole",
          coalesce(sum(a.points) * 10000, 0)::float8 AS points,
          coalesce(sum(q.max_points) * 10000, 0)::float8 AS "maxPoints",
          (array_agg(a.graded_by ORDER BY a.graded_at DESC NULLS LAST, q.place DESC))[1] AS "lastGrader",
          max(a.graded_at) AS "lastGradedAt"
        FROM answers a JOIN questions q ON q.id = a.question_id WHERE a.submission_id = s.id
      ) AS counted
      WHERE s.id = ANY($1::integer[]) ORDER BY s.submitted_at, s.id`,
    // Writes every row, even if its grade stays the same: a grading of the whole submission takes effect only on the
    // version that it read.
    write: `
      WITH given AS (
        SELECT * FROM jsonb_to_recordset($1::jsonb) AS each (
          id integer, grade numeric, "totalGrade" numeric, "gradedBy" integer, "gradedAt" timestamptz,
          "isChanged" boolean)),
      settled AS (
        UPDATE submissions s
        SET ${grade} = given.grade, ${total(' = given."totalGrade"')} selection = '{}', adjustment = 0,
          rubric_revision = NULL, graded_by = given."gradedBy", graded_at = given."gradedAt",
          revision = s.revision + given."isChanged"::integer
        FROM given WHERE s.id = given.id
        RETURNING s.*, given."isChanged")
      INSERT INTO gradings (submission_id, ${grade}, ${total('')} comment, graded_by, graded_at, reason)
      SELECT id, ${grade}, ${total('')} CASE WHEN ${grade} IS NOT NULL THEN comment END, $2::integer, $3::timestamptz,
        CASE WHEN ${grade} IS NULL THEN 'ungraded' ELSE 'questions' END
      FROM settled WHERE "isChanged" ORDER BY submitted_at, id`,
  };
}
