import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import type { Sequelize, Transaction } from 'sequelize';
import type { Comment, CommentProperties } from '../domain/comment.ts';

/** Which comments of a grader a list shows. */
interface CommentFilter {
  /** Part of the text, whatever its case; empty for all. */
  search: string;
  /** Those of this course and those of none; without it all. */
  courseId?: number | undefined;
}

const columns = 'id, text, course_id AS "courseId", uses, updated_at AS "updatedAt"';

const insert = `
  INSERT INTO grading_comments (owner_id, text, course_id) VALUES ($1, $2, $3) RETURNING ${columns}`;
const find = `SELECT ${columns} FROM grading_comments WHERE id = $1 AND owner_id = $2`;
// A null text is no change. A change without effect is none either.
const [newText, newCourse] = ['coalesce($3, text)', 'CASE WHEN $4 THEN $5::integer ELSE course_id END'];
const update = `
  UPDATE grading_comments SET text = ${newText}, course_id = ${newCourse},
    updated_at = CASE WHEN (text, course_id) IS DISTINCT FROM (${newText}, ${newCourse}) THEN now() ELSE updated_at END
  WHERE id = $1 AND owner_id = $2 RETURNING ${columns}`;
const remove = 'DELETE FROM grading_comments WHERE id = $1 AND owner_id = $2 RETURNING id';
const removeAll = 'DELETE FROM grading_comments WHERE owner_id = $1';
const countUse = 'UPDATE grading_comments SET uses = uses + 1 WHERE id = $1 AND owner_id = $2 RETURNING id';

// A grader has some hundred comments at most: the search reads them all.
const found = `
  FROM grading_comments
  WHERE owner_id = $1 AND ($2 = '' OR position((SELECT search_form($2)) IN search_form(text)) > 0)
    AND ($3::integer IS NULL OR course_id IS NULL OR course_id = $3)`;
const countFound = `SELECT count(*)::int AS total ${found}`;
const pageOfFound = `SELECT ${columns} ${found} ORDER BY uses DESC, id DESC LIMIT $4 OFFSET $5`;

/** The comment banks of graders. Every method takes the owner, who alone has access. */
export class CommentRepository {
  readonly #sequelize: Sequelize;

  constructor(sequelize: Sequelize) {
    this.#sequelize = sequelize;
  }

  async create(
    ownerId: number,
    { text, courseId }: CommentProperties,
    transaction: Transaction,
  ): Promise<Comment> {
    const values = [ownerId, text, courseId];
    const [created] = await query<Comment>(this.#sequelize, { sql: insert, values, transaction });
    if (!created) throw new Error('the comment was not created');
    return created;
  }

  find(id: number, ownerId: number): Promise<Comment | undefined> {
    return this.#selectOne(find, [id, ownerId]);
  }

  /** Changes the given properties. Undefined when the owner has no such comment. */
  update(id: number, ownerId: number, changes: Partial<CommentProperties>): Promise<Comment | undefined> {
    const { text = null, courseId } = changes;
    return this.#selectOne(update, [id, ownerId, text, courseId !== undefined, courseId ?? null]);
  }

  /** False when the owner has no such comment. */
  async delete(id: number, ownerId: number): Promise<boolean> {
    return (await this.#selectOne(remove, [id, ownerId])) !== undefined;
  }

  /** Deletes the whole bank. */
  async deleteAll(ownerId: number, transaction: Transaction): Promise<void> {
    await query(this.#sequelize, { sql: removeAll, values: [ownerId], transaction });
  }

  /** Counts one use. False when the owner has no such comment. */
  async countUse(id: number, ownerId: number): Promise<boolean> {
    return (await this.#selectOne(countUse, [id, ownerId])) !== undefined;
  }

  /** One page of a grader's comments, the most used first, then the newest. */
  async page(
    ownerId: number,
    { search, courseId }: CommentFilter,
    page: Page,
  ): Promise<SelectedPage<Comment>> {
    const values = [ownerId, search, courseId ?? null];
    const [counted] = await query<{ total: number }>(this.#sequelize, { sql: countFound, values });
    return selectPage(page, counted?.total ?? 0, (limit, offset) =>
      query<Comment>(this.#sequelize, { sql: pageOfFound, values: [...values, limit, offset] }),
    );
  }

  async #selectOne(sql: string, values: unknown[]): Promise<Comment | undefined> {
    return (await query<Comment>(this.#sequelize, { sql, values }))[0];
  }
}
