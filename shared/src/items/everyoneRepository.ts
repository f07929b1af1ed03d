import type { ListReads } from '../database/listReads.ts';
import type { GradingTables } from '../grading/gradingTables.ts';
import { joinTimes, type TimedWork, timeColumns } from './submittedWork.ts';

/**
 * The students of an item by their state. No student is in two groups; students with neither work nor an excuse are in
 * none.
 */
export interface StudentGroups {
  excused: number[];
  graded: number[];
  submitted: number[];
}

/** The work of one student. */
export interface SubmittedWork extends TimedWork {
  id: number;
  studentId: number;
  grade: number | null;
}

type Found = Record<keyof StudentGroups, number[] | null>;

/** The work that students have handed in for an item. */
export class EveryoneRepository {
  readonly #lists: ListReads;
  readonly #groups: string;
  readonly #work: string;

  constructor(lists: ListReads, tables: GradingTables) {
    const { itemId, grade, isGraded, isUngraded } = tables;
    this.#lists = lists;
    this.#groups = `
      SELECT array_agg(s.student_id) FILTER (WHERE ${isGraded}) AS graded,
        array_agg(s.student_id) FILTER (WHERE ${isUngraded}) AS submitted,
        (SELECT array_agg(student_id) FROM allowances
         WHERE item_id = $1 AND excused AND NOT is_removed) AS excused
      FROM submissions s WHERE s.${itemId} = $1`;
    this.#work = `
      SELECT s.id, s.student_id AS "studentId", s.submitted_at AS "submittedAt", s.${grade}::float8 AS grade, ${timeColumns}
      FROM submissions s ${joinTimes(tables)}
      WHERE s.${itemId} = $1 AND s.student_id = ANY($2::integer[])`;
  }

  /** Returns all students with work or an excuse, which are at most the students of one course. */
  groups(itemId: number): Promise<StudentGroups> {
    return this.#lists.read(async (select) => {
      const [found] = await select<Found>({
        name: 'groups of students',
        sql: this.#groups,
        values: [itemId],
      });
      const excused = found?.excused ?? [];
      const isExcused = new Set(excused);
      const others = (ids: number[] | null | undefined) => (ids ?? []).filter((id) => !isExcused.has(id));
      return { excused, graded: others(found?.graded), submitted: others(found?.submitted) };
    });
  }

  /** Returns the work of these students. */
  workOf(itemId: number, studentIds: number[]): Promise<SubmittedWork[]> {
    return this.#lists.read((select) =>
      select<SubmittedWork>({ name: 'work of students', sql: this.#work, values: [itemId, studentIds] }),
    );
  }
}
