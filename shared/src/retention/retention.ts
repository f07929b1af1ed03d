import type { Sequelize, Transaction } from 'sequelize';
import { inTransaction } from '../database/connection.ts';
import { query } from '../database/query.ts';
import type { FileLibrary } from '../files/fileLibrary.ts';
import type { Logger } from '../process/logger.ts';
import { runEvery } from '../process/runEvery.ts';

/** SQL for the time $1 milliseconds ago. */
export const millisecondsAgo = "now() - $1::float8 * interval '1 millisecond'";

/** A service's statements that find and detach files past their retention. */
export interface RetentionQueries {
  /** `course_id` of every course with files. */
  coursesWithFiles: string;
  /** `file_id` of files replaced more than $1 milliseconds ago. */
  replacedFiles: string;
  /** `file_id` of files, current and replaced, in courses that finished more than $1 milliseconds ago. */
  finishedFiles: string;
  /** Statements that delete all references to the files $1. */
  detach: string[];
}

/** In milliseconds; 0 keeps files forever. */
interface Periods {
  retentionReplacedFiles: number;
  retentionFinishedCourses: number;
}

interface Dependencies {
  sequelize: Sequelize;
  queries: RetentionQueries;
  periods: Periods;
}

interface HousekeepingDependencies extends Dependencies {
  files: FileLibrary;
  /** Returns the courses that exist. */
  existingCourses: (courseIds: number[]) => Promise<{ courseId: number }[]>;
  log: Logger;
}

const everyMs = 6 * 3_600_000;
const filesPerBatch = 200;
const coursesPerCall = 500;

const courseIdsAfter = (courses: string) => `
  SELECT DISTINCT course_id AS "courseId" FROM (${courses}) AS c WHERE course_id > $1 ORDER BY 1 LIMIT ${coursesPerCall}`;
const recordFinished = `
  INSERT INTO finished_courses (course_id) SELECT unnest($1::integer[]) ON CONFLICT DO NOTHING`;
const deleteUnfinished = 'DELETE FROM finished_courses WHERE course_id = ANY($1)';

/** The enabled parts of a retention policy, each with its name, file query and period. */
const partsOf = ({ queries, periods }: Dependencies) =>
  [
    { what: 'replaced files', sql: queries.replacedFiles, periodMs: periods.retentionReplacedFiles },
    {
      what: 'files of finished courses',
      sql: queries.finishedFiles,
      periodMs: periods.retentionFinishedCourses,
    },
  ].filter(({ periodMs }) => periodMs > 0);

/** Counts the files that the next run would delete. */
export async function countExpiredFiles(
  dependencies: Dependencies,
): Promise<{ what: string; files: number }[]> {
  return Promise.all(
    partsOf(dependencies).map(async ({ what, sql, periodMs }) => {
      const count = `SELECT count(DISTINCT file_id)::integer AS files FROM (${sql}) AS expired`;
      const [row] = await query<{ files: number }>(dependencies.sequelize, {
        sql: count,
        values: [periodMs],
      });
      return { what, files: row?.files ?? 0 };
    }),
  );
}

/** Deletes files past their retention now and every six hours. Returns a function that stops it. */
export function scheduleRetention(dependencies: HousekeepingDependencies): () => Promise<void> {
  return runEvery({
    everyMs,
    startNow: true,
    async task(signal) {
      if (dependencies.periods.retentionFinishedCourses > 0) await recordFinishedCourses(dependencies);
      for (const { sql, periodMs } of partsOf(dependencies))
        while (!signal.aborted && (await deleteBatch(dependencies, sql, periodMs)));
    },
    log: dependencies.log,
    failureMessage: 'could not delete files past their retention',
  });
}

async function recordFinishedCourses(dependencies: HousekeepingDependencies): Promise<void> {
  const { sequelize, queries, existingCourses } = dependencies;
  const sql = courseIdsAfter(queries.coursesWithFiles);
  for (let last = 0; ; ) {
    const ids = (await query<{ courseId: number }>(sequelize, { sql, values: [last] })).map(
      ({ courseId }) => courseId,
    );
    if (ids.length === 0) return;
    const existing = new Set((await existingCourses(ids)).map(({ courseId }) => courseId));
    await query(sequelize, { sql: recordFinished, values: [ids.filter((id) => !existing.has(id))] });
    await query(sequelize, { sql: deleteUnfinished, values: [[...existing]] });
    last = ids.at(-1) ?? last;
  }
}

function deleteBatch(
  { sequelize, queries, files }: HousekeepingDependencies,
  sql: string,
  periodMs: number,
): Promise<boolean> {
  return inTransaction(sequelize, async (transaction: Transaction) => {
    const batch = `SELECT DISTINCT file_id AS "fileId" FROM (${sql}) AS expired LIMIT ${filesPerBatch}`;
    const rows = await query<{ fileId: number }>(sequelize, { sql: batch, values: [periodMs], transaction });
    const ids = rows.map(({ fileId }) => fileId);
    for (const detach of queries.detach) await query(sequelize, { sql: detach, values: [ids], transaction });
    if (ids.length > 0) await files.remove(ids, transaction);
    return ids.length === filesPerBatch;
  });
}
