import type { Sequelize, Transaction } from 'sequelize';
import { queryPipelined } from '../database/pipelinedQuery.ts';
import { query } from '../database/query.ts';
import { type ItemVisibility, itemJoin, visibilityColumns } from '../items/visibility.ts';
import { type GradingTables, totalOf } from './gradingTables.ts';
import type { Points } from './points.ts';

/** The state of a submission that a grading changes, with the values that its events contain. */
export interface GradableSubmission extends ItemVisibility {
  id: number;
  itemId: number;
  /** The course that the events contain. */
  courseId: number;
  /** The title of the item. */
  title: string;
  studentId: number;
  /** When the request with the current files was received. */
  submittedAt: Date;
  grade: number | null;
  totalGrade: number | null;
  comment: string | null;
  selection: number[];
  adjustment: Points;
  /** Null for a grade without a rubric. */
  rubricRevision: number | null;
  gradedBy: number | null;
  gradedAt: Date | null;
  /** Increases with each change to the grade or the comment. */
  revision: number;
  /** Whether its item has questions. */
  hasAnswers: boolean;
  /** The version of the row in `submissions`, which every change replaces. */
  version: string;
}

/**
 * SQL for the columns of a {@link GradableSubmission} that a row of the queue lacks, for a query with {@link itemJoin}.
 */
export const gradableColumns = (tables: GradingTables): string => `
  s.${tables.itemId} AS "itemId", ${tables.courseId} AS "courseId", ${tables.title} AS title, s.comment, s.selection,
  (s.adjustment * 10000)::float8 AS adjustment, s.rubric_revision AS "rubricRevision", s.revision,
  s.xmin::text AS version, ${visibilityColumns}, EXISTS (SELECT FROM answers a WHERE a.submission_id = s.id) AS "hasAnswers"`;

/** Submissions as the endpoints of the specification grade them, whether or not their item still exists. */
export class GradableRepository {
  readonly #db: Sequelize;
  readonly #find: string;
  readonly #findAll: string;

  constructor(sequelize: Sequelize, tables: GradingTables) {
    this.#db = sequelize;
    const select = `
      SELECT s.id, s.student_id AS "studentId", s.submitted_at AS "submittedAt", s.${tables.grade}::float8 AS grade,
        ${totalOf(tables)} AS "totalGrade", s.graded_by AS "gradedBy", s.graded_at AS "gradedAt",
        ${gradableColumns(tables)}
      FROM submissions s ${itemJoin(tables)}`;
    this.#find = `${select} WHERE s.id = $1`;
    this.#findAll = `${select} WHERE s.id = ANY($1)`;
  }

  async find(id: number): Promise<GradableSubmission | undefined> {
    const name = 'gradable submission';
    const [row] = await queryPipelined<GradableSubmission>(this.#db, {
      name,
      sql: this.#find,
      values: [id],
    });
    return row;
  }

  findAll(ids: number[], transaction: Transaction): Promise<GradableSubmission[]> {
    return query<GradableSubmission>(this.#db, { sql: this.#findAll, values: [ids], transaction });
  }
}
