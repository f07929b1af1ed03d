import type { Sequelize, Transaction } from 'sequelize';
import { inTransaction } from '../../database/connection.ts';
import type { ListReads } from '../../database/listReads.ts';
import { query } from '../../database/query.ts';
import { readPageOf, type SelectedPage } from '../../database/selectPage.ts';
import { unavailable } from '../../errors/appError.ts';
import type { GradingTables } from '../../grading/gradingTables.ts';
import type { Page } from '../../http/pagination.ts';
import type { Review, ReviewState } from './review.ts';
import { type ReviewOpening, type ReviewRow, reviewStatements } from './reviewStatements.ts';

const maxTries = 20;

/** Students' requests to review a grading. */
export class ReviewRepository {
  readonly #db: Sequelize;
  readonly #lists: ListReads;
  readonly #ttlMs: number;
  readonly #sql: ReturnType<typeof reviewStatements>;

  /** @param ttlMs how long a grader's claim lasts */
  constructor(sequelize: Sequelize, lists: ListReads, tables: GradingTables, ttlMs: number) {
    this.#db = sequelize;
    this.#lists = lists;
    this.#ttlMs = ttlMs;
    this.#sql = reviewStatements(tables);
  }

  async find(id: number, transaction?: Transaction): Promise<ReviewRow | undefined> {
    const [row] = await query<ReviewRow>(this.#db, { sql: this.#sql.find, values: [id], transaction });
    return row;
  }

  /** Finds a review and locks it until the end of the transaction. */
  async lock(id: number, transaction: Transaction): Promise<ReviewRow | undefined> {
    await query(this.#db, { sql: this.#sql.lock, values: [id], transaction });
    return this.find(id, transaction);
  }

  /** Whether a review of a submission can be opened; reliable if it is locked. */
  async opening(
    submissionId: number,
    questionId: number | null,
    transaction?: Transaction,
  ): Promise<ReviewOpening | undefined> {
    const values = [submissionId, questionId];
    const [row] = await query<ReviewOpening>(this.#db, { sql: this.#sql.opening, values, transaction });
    return row;
  }

  /** Opens a review of a locked submission. Returns its id. */
  async open(
    {
      submissionId,
      questionId,
      text,
      userId,
      isByStudent,
    }: Pick<Review, 'submissionId' | 'questionId' | 'text'> & { userId: number; isByStudent: boolean },
    transaction: Transaction,
  ): Promise<number> {
    const values = [submissionId, questionId, text, userId, isByStudent];
    const [row] = await query<{ id: number }>(this.#db, { sql: this.#sql.open, values, transaction });
    if (!row) throw new Error(`submission ${submissionId} does not exist`);
    return row.id;
  }

  /** Closes a locked review. */
  async close(id: number, answer: string, userId: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: this.#sql.close, values: [id, answer, userId], transaction });
  }

  /** Closes the open reviews of questions of an item and returns them. */
  async closeOfQuestions(
    itemId: number,
    questionIds: number[],
    answer: string,
    userId: number,
    transaction: Transaction,
  ): Promise<Review[]> {
    const values = [itemId, answer, userId, questionIds];
    const rows = await query<{ id: number }>(this.#db, {
      sql: this.#sql.closeOfQuestions,
      values,
      transaction,
    });
    const ids = rows.map(({ id }) => id);
    return query(this.#db, { sql: this.#sql.findAll, values: [ids], transaction });
  }

  /** The reviews of a submission, oldest first. */
  ofSubmission(submissionId: number, page: Page): Promise<SelectedPage<ReviewRow>> {
    const list = { name: 'reviews of a submission', ...this.#sql.ofSubmission, values: [submissionId] };
    return readPageOf(this.#lists, list, page);
  }

  /** The reviews of an item in one state, or in any: open reviews first, then by age, oldest first. */
  ofItem(itemId: number, state: ReviewState | undefined, page: Page): Promise<SelectedPage<ReviewRow>> {
    const list = { name: 'reviews of an item', ...this.#sql.ofItem, values: [itemId, state ?? null] };
    return readPageOf(this.#lists, list, page);
  }

  /**
   * Claims the next open review of an item and returns its id; undefined when no review is left. A lock serializes the
   * requests for one item until the claim is committed, as for submissions (claimRepository.ts).
   */
  next(itemId: number, userId: number): Promise<number | undefined> {
    return inTransaction(this.#db, async (transaction) => {
      await query(this.#db, { sql: this.#sql.lockNext, values: [itemId], transaction });
      for (let tries = 0; tries < maxTries; tries += 1) {
        type Found = { candidate: number | null; claimed: number | null };
        const values = [itemId, userId, this.#ttlMs];
        const [found] = await query<Found>(this.#db, { sql: this.#sql.next, values, transaction });
        if (!found?.candidate) return undefined;
        // Otherwise the review was closed while this statement waited for it.
        if (found.claimed) return found.claimed;
      }
      throw unavailable('reviews are closed as fast as they are claimed');
    });
  }

  /** Ends all claims of people. */
  async endAll(userIds: number[], transaction: Transaction | null): Promise<void> {
    await query(this.#db, { sql: this.#sql.endAll, values: [userIds], transaction });
  }

  /** Ends the claims of a person in a course. */
  async endInCourse(userId: number, courseId: number, transaction: Transaction | null): Promise<void> {
    await query(this.#db, { sql: this.#sql.endInCourse, values: [userId, courseId], transaction });
  }
}
