import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import { notFound } from '../errors/appError.ts';
import { anonymousFileName } from '../files/anonymousFileName.ts';
import type { LibraryFile } from '../files/fileLibrary.ts';
import type { PageSize } from '../files/pdfEngine.ts';
import { anonymousMask, type Mask, noMask } from '../items/anonymity.ts';
import { itemJoin } from '../items/visibility.ts';
import { userNameOf } from '../projections/userColumns.ts';
import { type AnswerJson, answersFrom, answersJson, type ExplainedAnswer } from '../questions/answer.ts';
import type { Annotation } from './annotation.ts';
import { type GradableSubmission, gradableColumns } from './gradableRepository.ts';
import type { GradingTables } from './gradingTables.ts';
import { type QueueRow, rowColumns, rowJoins } from './queueRow.ts';
import { type CountedRubric, itemRubrics, rubricJson } from './rubricRepository.ts';

/** A file of a submission. `sizes` is null until its pages have been measured. */
export interface DetailFile extends LibraryFile {
  sizes: PageSize[] | null;
}

/** All data of a submission that graders see. */
export interface Detail extends QueueRow, GradableSubmission {
  /** The course whose instructors grade. */
  itemCourseId: number;
  /** The total grade that the item itself sets. */
  itemTotal: number | null;
  files: DetailFile[];
  annotations: Annotation[];
  rubric: CountedRubric | null;
  /** In the order of the questions; empty if the item has none. */
  answers: ExplainedAnswer[];
  /** The caller's name, if the projection contains it. */
  callerName: string | null;
  callerIsService: boolean | null;
}

interface SubmissionItem {
  itemId: number;
  courseId: number;
}

/** An annotation as stored: with its position in the list, because the list is stored by file. */
export type StoredAnnotation = Annotation & { place: number };

interface StoredFile extends LibraryFile {
  widths: number[] | null;
  heights: number[] | null;
  marks: StoredAnnotation[] | null;
}

type Stored<Row> = Omit<Row, 'files' | 'annotations' | 'answers'> & {
  files: StoredFile[] | null;
  answers: AnswerJson[] | null;
};

// The caller id of reads that are not for a grader.
const nobody = 0;

const file = `json_build_object(
  'id', f.id, 'key', f.key, 'name', f.name, 'size', f.size, 'sha256', f.sha256, 'crc32', f.crc32,
  'widths', z.widths, 'heights', z.heights, 'marks', a.marks)`;

const replacedNames = (tables: GradingTables) => `
  SELECT f.id, coalesce(${anonymousMask.unlessMasked('f.name')}, '${anonymousFileName(0)}') AS name
  FROM submissions s ${itemJoin(tables)} CROSS JOIN LATERAL (${tables.replacedFiles}) AS replaced
    JOIN files f ON f.id = replaced.file_id
  WHERE s.id = $1`;

const storePages = `
  INSERT INTO page_sizes (file_id, widths, heights)
  SELECT id, $2, $3 FROM files WHERE id = $1 ON CONFLICT (file_id) DO NOTHING`;

/** Reads submissions with all data that graders see. While an item is anonymous, students and their files have no names. */
export class DetailRepository<Row extends Detail = Detail> {
  readonly #db: Sequelize;
  readonly #masked: string;
  readonly #withNames: string;
  readonly #itemOf: string;
  readonly #replacedFiles: string;

  constructor(sequelize: Sequelize, tables: GradingTables) {
    this.#db = sequelize;
    this.#masked = detail(tables, anonymousMask);
    this.#withNames = detail(tables, noMask);
    this.#itemOf = `
      SELECT s.${tables.itemId} AS "itemId", ${tables.itemCourseId} AS "courseId" FROM submissions s WHERE s.id = $1`;
    this.#replacedFiles = replacedNames(tables);
  }

  /** Reads everything in one statement, and therefore from one snapshot. */
  async find(id: number, callerId: number, transaction?: Transaction): Promise<Row | undefined> {
    const name = 'submission for graders';
    const values = [id, callerId];
    const [row] = await query<Stored<Row>>(this.#db, { name, sql: this.#masked, values, transaction });
    return row && toDetail(row);
  }

  /** Finds a submission with the names of its student and files even if its item is anonymous, for administrators. */
  async findWithNames(id: number): Promise<Row | undefined> {
    const [row] = await query<Stored<Row>>(this.#db, { sql: this.#withNames, values: [id, nobody] });
    return row && toDetail(row);
  }

  /** @throws AppError `not_found` */
  async get(id: number, callerId: number): Promise<Row> {
    const detail = await this.find(id, callerId);
    if (!detail) throw notFound();
    return detail;
  }

  /** The item of a submission, and the course whose instructors grade it; undefined for an unknown submission. */
  async itemOf(id: number): Promise<SubmissionItem | undefined> {
    const statement = { name: 'item of a submission', sql: this.#itemOf, values: [id] };
    const [row] = await query<SubmissionItem>(this.#db, statement);
    return row;
  }

  /** The earlier files of the submission, for error messages. */
  replacedFiles(id: number): Promise<{ id: number; name: string }[]> {
    return query(this.#db, { name: 'replaced files', sql: this.#replacedFiles, values: [id] });
  }

  /** Stores the sizes of a file's pages. */
  async storePages(fileId: number, sizes: PageSize[]): Promise<void> {
    const values = [fileId, sizes.map(([width]) => width), sizes.map(([, height]) => height)];
    await query(this.#db, { name: 'sizes of pages', sql: storePages, values });
  }
}

function toDetail<Row extends Detail>(row: Stored<Row>): Row {
  const files = row.files ?? [];
  return {
    ...row,
    files: files.map(({ marks: _, ...each }, index) =>
      withSizes(row.code === null ? each : { ...each, name: anonymousFileName(index) }),
    ),
    annotations: annotationsIn(files, row.rubric),
    answers: answersFrom(row.answers),
  } as unknown as Row;
}

function withSizes({ widths, heights, ...each }: Omit<StoredFile, 'marks'>): DetailFile {
  const sizes = widths?.map((width, index): PageSize => [width, heights?.[index] ?? 0]) ?? null;
  return { ...each, sizes };
}

/** Returns annotations in the order of their list. `itemId` becomes null if the item is no longer in the rubric. */
function annotationsIn(files: StoredFile[], rubric: CountedRubric | null): Annotation[] {
  const items = new Set(rubric?.items.map(({ id }) => id));
  return files
    .flatMap(({ marks }) => marks ?? [])
    .toSorted((one, other) => one.place - other.place)
    .map(({ place: _, ...mark }) => ({
      ...mark,
      itemId: mark.itemId !== null && items.has(mark.itemId) ? mark.itemId : null,
    }));
}

const detail = (tables: GradingTables, mask: Mask): string => `
  SELECT ${rowColumns(tables, mask)},
    ${gradableColumns(tables)},
    ${tables.itemCourseId} AS "itemCourseId", ${tables.itemTotal} AS "itemTotal",
    (SELECT ${userNameOf('caller')} FROM people caller WHERE caller.user_id = $2) AS "callerName",
    (SELECT is_service FROM people WHERE user_id = $2) AS "callerIsService",
    (SELECT json_agg(${file} ORDER BY f.id)
     FROM (${tables.presentFiles}) AS present JOIN files f ON f.id = present.file_id
       LEFT JOIN page_sizes z ON z.file_id = f.id LEFT JOIN annotations a ON a.file_id = f.id) AS files,
    (SELECT ${rubricJson(itemRubrics)} FROM rubrics r WHERE r.item_id = s.${tables.itemId} AND NOT r.is_deleted) AS rubric,
    ${answersJson} AS answers
  FROM submissions s ${rowJoins(tables)}
  WHERE s.id = $1`;
