import type { Sequelize, Transaction } from 'sequelize';
import { type NamedStatement, query, writeAtOnce } from '../database/query.ts';
import { type EventRows, type InsertEvents, insertEvents, noEvents } from '../events/outbox.ts';
import type { Annotation } from './annotation.ts';
import type { StoredAnnotation } from './detailRepository.ts';
import type { GradableSubmission } from './gradableRepository.ts';
import type { GradingTables } from './gradingTables.ts';
import type { PlannedGrading } from './planGrading.ts';
import { fromPoints } from './points.ts';

export interface GradingToWrite extends PlannedGrading {
  before: GradableSubmission;
  /** The annotations that replace the current ones on the submission's files; undefined keeps them. */
  marking: { annotations: Annotation[]; fileIds: number[] } | undefined;
  /** The grader whose claim ends with the grading; null ends no claim. */
  releasedBy: number | null;
}

/**
 * Writes a grading in one statement that changes all or nothing (decision 0045): the submission, the entry in its history, its
 * annotations, the end of the grader's claim, and events.
 *
 * It takes effect only if the submission is unchanged since it was read: every change replaces the version of its row.
 * The UPDATE waits for the lock of another grading, an upload, a rubric change or an erasure. If one of them has
 * changed the row, nothing is written. A grading with a rubric also locks the rubric, in the revision that was read,
 * against changes. If a change came first, the revision differs, and nothing is written; a later change waits, and then
 * also regrades this submission. Likewise, the lock on the item ensures that the event states correctly whether
 * students see the grade.
 */
export class GradeWriter {
  readonly #db: Sequelize;
  readonly #grade: NamedStatement;
  readonly #gradeAndMark: NamedStatement;
  readonly #clear: string;
  readonly #clearLocked: string;
  readonly #hasTotal: boolean;

  constructor(sequelize: Sequelize, tables: GradingTables) {
    this.#db = sequelize;
    this.#grade = { name: 'grading', sql: gradeStatement(tables, false) };
    this.#gradeAndMark = { name: 'grading by a grader', sql: gradeStatement(tables, true) };
    this.#clear = clearing(tables);
    this.#clearLocked = ungrading(tables);
    this.#hasTotal = tables.totalGrade !== undefined;
  }

  /** Returns false, and nothing is written, if the submission or the rubric has changed since they were read. */
  async writeAtOnce(grading: GradingToWrite, events: EventRows): Promise<boolean> {
    return (await writeAtOnce(this.#db, this.#statementOf(grading, events))) !== undefined;
  }

  /** The same within a transaction that adds the events itself. */
  async write(grading: GradingToWrite, transaction: Transaction): Promise<boolean> {
    const rows = await query(this.#db, { ...this.#statementOf(grading, noEvents), transaction });
    return rows.length === 1;
  }

  /** Clears the grade, with an entry in the history. Returns false if the submission has changed since it was read. */
  async clearAtOnce(
    { id, version }: GradableSubmission,
    callerId: number,
    events: EventRows,
  ): Promise<boolean> {
    const values = [id, version, callerId, ...events];
    const written = await writeAtOnce(this.#db, { name: 'undoing of a grading', sql: this.#clear, values });
    return written !== undefined;
  }

  /** The same as {@link clearAtOnce} within a transaction that adds the events itself. */
  async clearExpected(
    { id, version }: GradableSubmission,
    callerId: number,
    transaction: Transaction,
  ): Promise<boolean> {
    const values = [id, version, callerId, ...noEvents];
    const rows = await query(this.#db, { sql: this.#clear, values, transaction });
    return rows.length === 1;
  }

  /** Clears the grade of a locked submission. The history keeps the grading. */
  async clear(id: number, transaction: Transaction): Promise<void> {
    await query(this.#db, { sql: this.#clearLocked, values: [id], transaction });
  }

  #statementOf(grading: GradingToWrite, events: EventRows): NamedStatement {
    const { before, after, way, isInHistory, marking: marked, releasedBy } = grading;
    const values = [
      before.id,
      before.version,
      after.revision,
      isInHistory,
      before.itemId,
      before.itemRevision,
      after.grade,
      ...(this.#hasTotal ? [after.totalGrade] : []),
      after.comment,
      after.selection,
      fromPoints(after.adjustment),
      after.rubricRevision,
      after.gradedBy,
      after.gradedAt,
      ...events,
    ];
    if (way === 'specification') return { ...this.#grade, values };
    const marks = marksByFile(marked?.annotations ?? []);
    values.push(
      way === 'selection' ? after.rubricRevision : null,
      marked?.fileIds ?? [],
      [...marks.keys()],
      [...marks.values()].map((each) => JSON.stringify(each)),
      releasedBy,
    );
    return { ...this.#gradeAndMark, values };
  }
}

/** The annotations of each file, with their positions in the whole list. */
const marksByFile = (annotations: Annotation[]): Map<number, StoredAnnotation[]> =>
  Map.groupBy(
    annotations.map((annotation, place) => ({ ...annotation, place })),
    ({ fileId }) => fileId,
  );

// Only graders select from a rubric, annotate and claim. Each part takes time even if it changes no row. Without these
// parts, a grading takes a seventh less CPU time (`npm run bench grading`).
function markingSql(parameter: (index: number) => string) {
  const [rubricRevision, fileIds, markedIds, marks, userId] = [0, 1, 2, 3, 4].map(parameter);
  return {
    lock: `rubric AS (
      SELECT 1 FROM rubrics WHERE item_id = $5 AND revision = ${rubricRevision} AND NOT is_deleted FOR SHARE),`,
    condition: `AND (${rubricRevision}::integer IS NULL OR EXISTS (SELECT FROM rubric))`,
    changes: `unmarked AS (
      DELETE FROM annotations a USING graded
      WHERE a.file_id = ANY (${fileIds}::integer[]) AND a.file_id <> ALL (${markedIds}::integer[])),
    marked AS (
      INSERT INTO annotations (file_id, marks)
      SELECT f.id, given.marks
      FROM graded, unnest(${markedIds}::integer[], ${marks}::jsonb[]) AS given (file_id, marks)
      JOIN files f ON f.id = given.file_id
      ON CONFLICT (file_id) DO UPDATE SET marks = excluded.marks),
    released AS (
      DELETE FROM claims c USING graded WHERE c.submission_id = graded.id AND c.user_id = ${userId}),`,
  };
}

const withoutMarking = { lock: '', condition: '', changes: '' };

// The expression of the index reviews_open_once.
const reason = `
  CASE WHEN EXISTS (
    SELECT FROM reviews r WHERE r.submission_id = graded.id AND coalesce(r.question_id, 0) = 0 AND r.state = 'open')
  THEN 'review' ELSE 'graded' END`;

function gradeStatement({ item, grade, totalGrade }: GradingTables, isMarked: boolean): string {
  const columns: [name: string, type: string][] = [
    [grade, 'numeric'],
    ...(totalGrade ? [[totalGrade, 'numeric'] as [string, string]] : []),
    ['comment', 'text'],
    ['selection', 'integer[]'],
    ['adjustment', 'numeric'],
    ['rubric_revision', 'integer'],
    ['graded_by', 'integer'],
    ['graded_at', 'timestamptz'],
  ];
  const first = 7;
  const values = columns.map(([, type], index) => `$${first + index}::${type}`);
  const firstEvent = first + columns.length;
  const parameters = [0, 1, 2].map((index) => `$${firstEvent + index}`) as InsertEvents['parameters'];
  const { lock, condition, changes } = isMarked
    ? markingSql((index) => `$${firstEvent + 3 + index}`)
    : withoutMarking;
  return `
    WITH item AS (SELECT 1 FROM ${item.table} WHERE ${item.id} = $5 AND revision = $6 FOR SHARE),
    ${lock}
    graded AS (
      UPDATE submissions
      SET revision = $3, ${columns.map(([name], index) => `${name} = ${values[index]}`).join(', ')}
      WHERE id = $1 AND xmin = $2::xid AND EXISTS (SELECT FROM item) ${condition}
      RETURNING id),
    history AS (
      INSERT INTO gradings (submission_id, ${columns.map(([name]) => name).join(', ')}, reason)
      SELECT id, ${values.join(', ')}, ${reason} FROM graded WHERE $4::boolean),
    ${changes}
    published AS (${insertEvents({ parameters, change: 'graded' })})
    SELECT id FROM graded`;
}

const ungrading = ({ grade, totalGrade }: GradingTables): string => `
  UPDATE submissions
  SET revision = revision + 1, ${grade} = NULL, ${totalGrade ? `${totalGrade} = NULL,` : ''} comment = NULL, selection = '{}',
    adjustment = 0, rubric_revision = NULL, graded_by = NULL, graded_at = NULL
  WHERE id = $1`;

const clearing = (tables: GradingTables): string => `
  WITH cleared AS (${ungrading(tables)} AND xmin = $2::xid RETURNING id),
  history AS (
    INSERT INTO gradings (submission_id, graded_by, graded_at, reason) SELECT id, $3::integer, now(), 'ungraded' FROM cleared),
  published AS (${insertEvents({ parameters: ['$4', '$5', '$6'], change: 'cleared' })})
  SELECT id FROM cleared`;
