import { query } from '@gradeway/shared/database/query';
import { type SelectedPage, selectPage } from '@gradeway/shared/database/selectPage';
import type { Page } from '@gradeway/shared/http/pagination';
import {
  type CreationOptional,
  DataTypes,
  type InferAttributes,
  type InferCreationAttributes,
  literal,
  type Model,
  type ModelStatic,
  type Sequelize,
  type Transaction,
} from 'sequelize';
import type { Comment, CommentProperties } from '../domain/comment.ts';

/** Selects the comments that a list shows. */
interface CommentFilter {
  /** A part of the text, case-insensitive; empty for all comments. */
  search: string;
  /** Selects the comments of this course and of all courses; undefined selects all comments. */
  courseId?: number | undefined;
  /** Omits comments for courses that are not in this list. */
  onlyOf?: number[] | undefined;
}

const columns = 'id, text, course_id AS "courseId", uses, updated_at AS "updatedAt"';

// A null text keeps the current one. A change to the same values does not update the time of the last change.
const [newText, newCourse] = ['coalesce($3, text)', 'CASE WHEN $4 THEN $5::integer ELSE course_id END'];
const update = `
  UPDATE grading_comments SET text = ${newText}, course_id = ${newCourse},
    updated_at = CASE WHEN (text, course_id) IS DISTINCT FROM (${newText}, ${newCourse}) THEN now() ELSE updated_at END
  WHERE id = $1 AND owner_id = $2 RETURNING ${columns}`;
interface CommentRow
  extends Comment,
    Model<InferAttributes<CommentRow>, InferCreationAttributes<CommentRow>> {
  id: CreationOptional<number>;
  ownerId: number;
  uses: CreationOptional<number>;
  updatedAt: CreationOptional<Date>;
}

const defineComments = (sequelize: Sequelize) =>
  sequelize.define<CommentRow>(
    'Comment',
    {
      id: { type: DataTypes.INTEGER, primaryKey: true, autoIncrement: true },
      ownerId: DataTypes.INTEGER,
      text: DataTypes.TEXT,
      courseId: DataTypes.INTEGER,
      uses: DataTypes.INTEGER,
      updatedAt: DataTypes.DATE,
    },
    { tableName: 'grading_comments' },
  );

// A grader has a few hundred comments at most, so the search reads all of them.
const found = `
  FROM grading_comments
  WHERE owner_id = $1 AND ($2 = '' OR position((SELECT search_form($2)) IN search_form(text)) > 0)
    AND ($3::integer IS NULL OR course_id IS NULL OR course_id = $3)
    AND ($4::integer[] IS NULL OR course_id IS NULL OR course_id = ANY($4))`;
const countFound = `SELECT count(*)::int AS total ${found}`;
const pageOfFound = `SELECT ${columns} ${found} ORDER BY uses DESC, id DESC LIMIT $5 OFFSET $6`;

/** Stores the comment banks of graders. Only its owner has access to a comment, so every method takes the owner. */
export class CommentRepository {
  readonly #db: Sequelize;
  readonly #comments: ModelStatic<CommentRow>;

  constructor(sequelize: Sequelize) {
    this.#db = sequelize;
    this.#comments = defineComments(sequelize);
  }

  async create(ownerId: number, properties: CommentProperties, transaction: Transaction): Promise<Comment> {
    return (await this.#comments.create({ ownerId, ...properties }, { transaction })).get();
  }

  async find(id: number, ownerId: number): Promise<Comment | undefined> {
    return (await this.#comments.findOne({ where: { id, ownerId } }))?.get();
  }

  /** Changes the given properties. Returns undefined if the owner has no such comment. */
  async update(
    id: number,
    ownerId: number,
    { text, courseId }: Partial<CommentProperties>,
  ): Promise<Comment | undefined> {
    const values = [id, ownerId, text ?? null, courseId !== undefined, courseId ?? null];
    return (await query<Comment>(this.#db, { sql: update, values }))[0];
  }

  /** Returns false if the owner has no such comment. */
  async delete(id: number, ownerId: number): Promise<boolean> {
    return (await this.#comments.destroy({ where: { id, ownerId } })) === 1;
  }

  /** Deletes the whole bank. */
  async deleteAll(ownerId: number, transaction: Transaction): Promise<void> {
    await this.#comments.destroy({ where: { ownerId }, transaction });
  }

  /** Counts one use. Returns false if the owner has no such comment. */
  async countUse(id: number, ownerId: number): Promise<boolean> {
    const [counted] = await this.#comments.update({ uses: literal('uses + 1') }, { where: { id, ownerId } });
    return counted === 1;
  }

  /** Returns one page of a grader's comments, most used first, then newest first. */
  async page(
    ownerId: number,
    { search, courseId, onlyOf }: CommentFilter,
    page: Page,
  ): Promise<SelectedPage<Comment>> {
    const values = [ownerId, search, courseId ?? null, onlyOf ?? null];
    const [counted] = await query<{ total: number }>(this.#db, { sql: countFound, values });
    return selectPage(page, counted?.total ?? 0, (limit, offset) =>
      query<Comment>(this.#db, { sql: pageOfFound, values: [...values, limit, offset] }),
    );
  }
}
