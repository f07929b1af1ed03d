import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import type { LibraryFile } from '../files/fileLibrary.ts';
import type { PageSize } from '../files/pdfEngine.ts';
import { userNameOf } from '../projections/userColumns.ts';
import type { Annotation } from './annotation.ts';
import type { GradingTables } from './gradingTables.ts';
import type { Points } from './points.ts';
import { type QueueRow, rowColumns, rowJoins } from './queueRow.ts';
import { type CountedRubric, rubricJson } from './rubricRepository.ts';

/** A file of a submission; `sizes` is null until its pages were measured. */
export interface DetailFile extends LibraryFile {
  sizes: PageSize[] | null;
}

/** Everything about a submission that graders see. */
export interface Detail extends QueueRow {
  itemId: number;
  /** The course that events name. */
  courseId: number;
  /** The course whose instructors grade. */
  itemCourseId: number;
  /** Of the item. */
  title: string;
  /** The total grade that the item itself sets. */
  itemTotal: number | null;
  revision: number;
  comment: string | null;
  files: DetailFile[];
  selection: number[];
  adjustment: Points;
  rubricRevision: number | null;
  annotations: Annotation[];
  rubric: CountedRubric | null;
  /** The version of the row in `submissions`, which every change replaces. */
  version: string;
  /** The name of the caller, if the projection has it. */
  callerName: string | null;
}

/** An annotation as it is stored: with its place in the list, because the list is stored by file. */
export type StoredAnnotation = Annotation & { place: number };

interface StoredFile extends LibraryFile {
  widths: number[] | null;
  heights: number[] | null;
  marks: StoredAnnotation[] | null;
}

const file = `json_build_object(
  'id', f.id, 'key', f.key, 'name', f.name, 'size', f.size, 'sha256', f.sha256, 'crc32', f.crc32,
  'widths', z.widths, 'heights', z.heights, 'marks', a.marks)`;

const replacedNames = (files: string) => `
  SELECT f.id, f.name FROM submissions s CROSS JOIN LATERAL (${files}) AS replaced
    JOIN files f ON f.id = replaced.file_id
  WHERE s.id = $1`;

const storePages = `
  INSERT INTO page_sizes (file_id, widths, heights)
  SELECT id, $2, $3 FROM files WHERE id = $1 ON CONFLICT (file_id) DO NOTHING`;

/** Submissions with everything that graders see. */
export class DetailRepository<Row extends Detail = Detail> {
  readonly #sequelize: Sequelize;
  readonly #find: string;
  readonly #courseOf: string;
  readonly #replacedFiles: string;

  constructor(sequelize: Sequelize, tables: GradingTables) {
    this.#sequelize = sequelize;
    this.#find = detail(tables);
    this.#courseOf = `SELECT ${tables.itemCourseId} AS "courseId" FROM submissions s WHERE s.id = $1`;
    this.#replacedFiles = replacedNames(tables.replacedFiles);
  }

  /** One statement, so that all of it is of one moment. */
  async find(id: number, callerId: number, transaction?: Transaction): Promise<Row | undefined> {
    type Stored = Omit<Row, 'files' | 'annotations'> & { files: StoredFile[] | null };
    const values = [id, callerId];
    const name = 'submission for graders';
    const [row] = await query<Stored>(this.#sequelize, { name, sql: this.#find, values, transaction });
    if (!row) return undefined;
    const files = row.files ?? [];
    return {
      ...row,
      files: files.map(({ marks: _, ...each }) => withSizes(each)),
      annotations: annotationsIn(files, row.rubric),
    } as Row;
  }

  /** The course whose instructors grade a submission; undefined when there is no such submission. */
  async courseOf(id: number): Promise<number | undefined> {
    type Row = { courseId: number };
    const [row] = await query<Row>(this.#sequelize, {
      name: 'course of a submission',
      sql: this.#courseOf,
      values: [id],
    });
    return row?.courseId;
  }

  /** The files that the submission had before the present ones, for error messages. */
  replacedFiles(id: number): Promise<{ id: number; name: string }[]> {
    return query(this.#sequelize, { name: 'replaced files', sql: this.#replacedFiles, values: [id] });
  }

  /** Remembers the sizes of a file's pages. */
  async storePages(fileId: number, sizes: PageSize[]): Promise<void> {
    const values = [fileId, sizes.map(([width]) => width), sizes.map(([, height]) => height)];
    await query(this.#sequelize, { name: 'sizes of pages', sql: storePages, values });
  }
}

function withSizes({ widths, heights, ...each }: Omit<StoredFile, 'marks'>): DetailFile {
  const sizes = widths?.map((width, index): PageSize => [width, heights?.[index] ?? 0]) ?? null;
  return { ...each, sizes };
}

/** In the order of the list. An item that the rubric does not have any more is null. */
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

const detail = (tables: GradingTables): string => `
  SELECT ${rowColumns(tables)},
    s.${tables.itemId} AS "itemId", ${tables.courseId} AS "courseId",
    ${tables.itemCourseId} AS "itemCourseId", ${tables.title} AS title,
    ${tables.itemTotal} AS "itemTotal", s.revision, s.comment, s.selection,
    (s.adjustment * 10000)::float8 AS adjustment, s.rubric_revision AS "rubricRevision", s.xmin::text AS version,
    (SELECT ${userNameOf('caller')} FROM people caller WHERE caller.user_id = $2) AS "callerName",
    (SELECT json_agg(${file} ORDER BY f.id)
     FROM (${tables.presentFiles}) AS present JOIN files f ON f.id = present.file_id
       LEFT JOIN page_sizes z ON z.file_id = f.id LEFT JOIN annotations a ON a.file_id = f.id) AS files,
    (SELECT ${rubricJson} FROM rubrics r WHERE r.item_id = s.${tables.itemId} AND NOT r.is_deleted) AS rubric
  FROM submissions s ${rowJoins}
  WHERE s.id = $1`;
