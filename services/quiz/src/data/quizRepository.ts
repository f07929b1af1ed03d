import { selectPrepared } from '@gradeway/shared/database/preparedQuery';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import { updateLocked } from '@gradeway/shared/database/updateLocked';
import type { Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Quiz, QuizProperties } from '../domain/quiz.ts';
import type { Models, QuizModel } from './models.ts';

type Values = QuizProperties & { questionsFileId: number | null };

const readTotal = 'SELECT total FROM quiz_total';
const present = `
  SELECT id, course_id AS "courseId", title, questions_count AS "questionsCount",
    total_grade::float8 AS "totalGrade", opens_at AS "opensAt", closes_at AS "closesAt",
    duration_minutes::float8 AS "durationMinutes", questions_file_id AS "questionsFileId", created_at AS "createdAt"
  FROM quizzes WHERE deleted_at IS NULL`;
const inOrder = 'ORDER BY created_at DESC, id DESC LIMIT $1 OFFSET $2';
const newest = `${present} ${inOrder}`;
const newestOfCourses = `${present} AND course_id = ANY($3::integer[]) ${inOrder}`;

/** The quizzes that are not deleted. */
export class QuizRepository {
  readonly #sequelize: Sequelize;
  readonly #models: Models;

  constructor(sequelize: Sequelize, models: Models) {
    this.#sequelize = sequelize;
    this.#models = models;
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

  /** Finds a quiz and locks it until the end of the transaction. */
  async lock(id: number, transaction: Transaction): Promise<Quiz | undefined> {
    const row = await this.#models.Quiz.findOne({ where: { id, deletedAt: null }, transaction, lock: true });
    return row ? toQuiz(row) : undefined;
  }

  async update(id: number, values: Partial<Values>, transaction: Transaction): Promise<Quiz> {
    return toQuiz(await updateLocked(this.#models.Quiz, id, values, transaction));
  }

  /** Deletes a quiz. Its submissions remain and can still be graded. False when the quiz does not exist. */
  async delete(id: number, transaction: Transaction): Promise<boolean> {
    const where = { id, deletedAt: null };
    const [count] = await this.#models.Quiz.update({ deletedAt: new Date() }, { where, transaction });
    if (count > 0) await this.#changeTotal(-1, transaction);
    return count > 0;
  }

  /** The title of a quiz, even if it is deleted. */
  async titleOf(id: number, transaction: Transaction): Promise<string> {
    const row = await this.#models.Quiz.findByPk(id, { transaction });
    return row?.title ?? '';
  }

  /** One page of all quizzes, newest first. */
  async page(page: Page): Promise<SelectedPage<Quiz>> {
    const [counted] = await selectPrepared<{ total: number }>(this.#sequelize, 'quiz total', readTotal);
    return selectPage(page, counted?.total ?? 0, (limit, offset) =>
      selectPrepared<Quiz>(this.#sequelize, 'page of quizzes', newest, [limit, offset]),
    );
  }

  /** One page of the quizzes of these courses, newest first. */
  async pageOfCourses(courseIds: number[], page: Page): Promise<SelectedPage<Quiz>> {
    const total = await this.#models.Quiz.count({ where: { courseId: courseIds, deletedAt: null } });
    return selectPage(page, total, (limit, offset) => {
      const values = [limit, offset, courseIds];
      return selectPrepared<Quiz>(this.#sequelize, 'quizzes of courses', newestOfCourses, values);
    });
  }

  async #changeTotal(by: number, transaction: Transaction): Promise<void> {
    await this.#sequelize.query('UPDATE quiz_total SET total = total + $1', { bind: [by], transaction });
  }
}

function toQuiz(row: QuizModel): Quiz {
  const { deletedAt: _, ...quiz } = row.get();
  return quiz;
}
