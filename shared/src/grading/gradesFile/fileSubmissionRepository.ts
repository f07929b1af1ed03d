import type { Sequelize } from 'sequelize';
import { query } from '../../database/query.ts';
import { joinTimes, serializeLateness, type TimedWork, timeColumns } from '../../items/submittedWork.ts';
import { type GradingTables, totalOf } from '../gradingTables.ts';
import type { GradesLine } from './gradesFile.ts';

/** A submission that a line of a file is compared with. */
export interface FileSubmission {
  id: number;
  studentId: number;
  /** In lower case; null if the student has none. */
  email: string | null;
  version: string;
  grade: number | null;
  totalGrade: number | null;
  /** The grade minus the penalty for late work. */
  finalGrade: number | null;
  comment: string | null;
  /** Whether a penalty for late work is deducted from its grade. */
  isPenalized: boolean;
  /** Whether it is graded question by question. */
  hasAnswers: boolean;
}

type Stored = Omit<FileSubmission, 'finalGrade' | 'isPenalized'> & TimedWork;

interface Students {
  ids: number[];
  /** In lower case. */
  emails: string[];
}

/** The submissions of some students. */
interface FoundSubmissions {
  find(line: Pick<GradesLine, 'studentId' | 'email'>): FileSubmission | undefined;
}

/** Reads the submissions that a file refers to. */
export class FileSubmissionRepository {
  readonly #db: Sequelize;
  readonly #byId: string;
  readonly #byEmail: string;

  constructor(sequelize: Sequelize, tables: GradingTables) {
    this.#db = sequelize;
    const select = (condition: string): string => `
      SELECT s.id, s.student_id AS "studentId", lower(p.email) AS email, s.xmin::text AS version,
        s.${tables.grade}::float8 AS grade, ${totalOf(tables)} AS "totalGrade", s.comment,
        s.submitted_at AS "submittedAt", ${timeColumns},
        EXISTS (SELECT FROM answers a WHERE a.submission_id = s.id) AS "hasAnswers"
      FROM submissions s LEFT JOIN people p ON p.user_id = s.student_id ${joinTimes(tables)}
      WHERE s.${tables.itemId} = $1 AND ${condition}`;
    this.#byId = select('s.student_id = ANY($2)');
    this.#byEmail = select('lower(p.email) = ANY($2)');
  }

  async ofStudents(itemId: number, { ids, emails }: Students): Promise<FoundSubmissions> {
    const byId = await this.#select(this.#byId, itemId, ids);
    const byEmail = await this.#select(this.#byEmail, itemId, emails);
    const ofId = new Map(byId.map((each) => [each.studentId, each]));
    const ofEmail = new Map(byEmail.map((each) => [each.email, each]));
    return {
      find: ({ studentId, email }) => (studentId === undefined ? ofEmail.get(email) : ofId.get(studentId)),
    };
  }

  async #select(sql: string, itemId: number, students: unknown[]): Promise<FileSubmission[]> {
    if (students.length === 0) return [];
    const rows = await query<Stored>(this.#db, { sql, values: [itemId, students] });
    return rows.map((row) => {
      const { late, final_grade: finalGrade } = serializeLateness(row, row.grade);
      return { ...row, finalGrade, isPenalized: late !== null && late.penalty_percent > 0 };
    });
  }
}
