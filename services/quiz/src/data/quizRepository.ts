import { type ListReads, primaryReads } from '@gradeway/shared/database/listReads';
import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import { updateLocked } from '@gradeway/shared/database/updateLocked';
import type { Page } from '@gradeway/shared/http/pagination';
import { allowanceColumns, joinAllowance } from '@gradeway/shared/items/ownTimes';
import { settingsColumns } from '@gradeway/shared/items/settingsColumns';
import { questionsOf } from '@gradeway/shared/questions/listedQuestions';
import { Op, type Sequelize, type Transaction } from 'sequelize';
import type { ListedQuiz, Quiz, QuizOfStudent, QuizProperties } from '../domain/quiz.ts';
import type { Models, QuizModel } from './models.ts';

type Values = QuizProperties & Pick<Quiz, 'questionsFileId' | 'releasedAt'>;
type Changes = Partial<Values & Pick<Quiz, 'revision'>>;

const columns = `
  id, course_id AS "courseId", title, questions_count AS "questionsCount",
    total_grade::float8 AS "totalGrade", opens_at AS "opensAt", closes_at AS "closesAt",
    duration_minutes::float8 AS "durationMinutes", questions_file_id AS "questionsFileId", created_at AS "createdAt",
    quizzes.revision, ${settingsColumns('quizzes')}`;
// Students never see drafts.
const isShown = 'deleted_at IS NULL AND published';
const countOfCourses = `
  SELECT count(*)::integer AS total FROM quizzes WHERE ${isShown} AND course_id = ANY($1::integer[])`;
const pageOfStudent = `
  SELECT ${columns}, ${allowanceColumns}, ${questionsOf('quizzes.id')}
  FROM quizzes ${joinAllowance('quizzes.id', '$4')}
  WHERE ${isShown} AND course_id = ANY($3::integer[])
  ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2`;
const anyQuestion = 'SELECT FROM questions WHERE item_id = $1 LIMIT 1';
const anySubmission = 'SELECT FROM submissions WHERE quiz_id = $1 LIMIT 1';
const ofStudent = `
  SELECT ${columns}, s.started_at AS "recordedStartAt", p.user_id IS NOT NULL AS "isStudentKnown", ${allowanceColumns}
  FROM quizzes LEFT JOIN quiz_starts s ON s.quiz_id = id AND s.student_id = $2
    LEFT JOIN people p ON p.user_id = $2 ${joinAllowance('quizzes.id', '$2')}
  WHERE id = $1 AND ${isShown}`;
const published = 'SELECT FROM quizzes WHERE id = $1 AND published';

/** The quizzes that are not deleted. */
export class QuizRepository {
  readonly #db: Sequelize;
  readonly #models: Models;
  readonly #lists: ListReads;

  constructor(sequelize: Sequelize, models: Models, lists: ListReads = primaryReads(sequelize)) {
    this.#db = sequelize;
    this.#models = models;
    this.#lists = lists;
  }

  async create(values: Values, transaction: Transaction): Promise<Quiz> {
    const row = await this.#models.Quiz.create(values, { transaction });
    await this.#changeTotal(1, transaction);
    return toQuiz(row);
  }

  async find(id: number): Promise<Quiz | undefined> {
    const row = await this.#models.Quiz.findOne({ where: { id, deletedAt: null } });
    return row ? toQuiz(row) : undefined;
  }

  /** Whether a quiz is not a draft, even if it was deleted. */
  async isPublished(id: number): Promise<boolean> {
    return (await query(this.#db, { sql: published, values: [id] })).length > 0;
  }

  /**
   * Finds a quiz that is visible to students, with the stored state of the student who is uploading an answer sheet.
   */
  async findForStudent(id: number, studentId: number): Promise<QuizOfStudent | undefined> {
    const values = [id, studentId];
    const [row] = await query<QuizOfStudent>(this.#db, { name: 'quiz of student', sql: ofStudent, values });
    return row;
  }

  /** Finds a quiz and locks it until the end of the transaction. */
  async lock(id: number, transaction: Transaction): Promise<Quiz | undefined> {
    const row = await this.#models.Quiz.findOne({ where: { id, deletedAt: null }, transaction, lock: true });
    return row ? toQuiz(row) : undefined;
  }

  async update(id: number, values: Changes, transaction: Transaction): Promise<Quiz> {
    return toQuiz(await updateLocked(this.#models.Quiz, id, values, transaction));
  }

  /**
   * Whether a locked quiz has submissions. No submission can be added until the transaction ends
   * (submissionRepository.ts).
   */
  async hasSubmissions(id: number, transaction: Transaction): Promise<boolean> {
    return (await query(this.#db, { sql: anySubmission, values: [id], transaction })).length > 0;
  }

  async hasQuestions(id: number, transaction: Transaction): Promise<boolean> {
    return (await query(this.#db, { sql: anyQuestion, values: [id], transaction })).length > 0;
  }

  /** Quizzes with larger ids in id order, including deleted ones. */
  async after(id: number, limit: number): Promise<(Quiz & { isDeleted: boolean })[]> {
    const where = { id: { [Op.gt]: id } };
    const rows = await this.#models.Quiz.findAll({ where, order: ['id'], limit });
    return rows.map((row) => ({ ...toQuiz(row), isDeleted: row.deletedAt !== null }));
  }

  /** Deletes a locked quiz. Its submissions remain and can still be graded. */
  async delete({ id, revision }: Quiz, transaction: Transaction): Promise<Quiz> {
    const values = { deletedAt: new Date(), revision: revision + 1 };
    const row = await updateLocked(this.#models.Quiz, id, values, transaction);
    await this.#changeTotal(-1, transaction);
    return toQuiz(row);
  }

  /** One page of a student's quizzes in these courses, without drafts, newest first. */
  async pageOfStudent(studentId: number, courseIds: number[], page: Page): Promise<SelectedPage<ListedQuiz>> {
    return this.#lists.read(async (select) => {
      const [counted] = await select<{ total: number }>({
        name: 'number of quizzes',
        sql: countOfCourses,
        values: [courseIds],
      });
      return selectPage(page, counted?.total ?? 0, (limit, offset) =>
        select<ListedQuiz>({
          name: 'quizzes of a student',
          sql: pageOfStudent,
          values: [limit, offset, courseIds, studentId],
        }),
      );
    });
  }

  async #changeTotal(by: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: 'UPDATE quiz_total SET total = total + $1', values: [by], transaction });
  }
}

function toQuiz(row: QuizModel): Quiz {
  const { deletedAt: _, ...quiz } = row.get();
  return quiz;
}
