import type { Sequelize, Transaction } from 'sequelize';
import { keysetPages } from '../database/keysetPages.ts';
import { query } from '../database/query.ts';
import {
  claimsOf,
  gradeFilesAbout,
  gradeFilesBy,
  handedInBy,
  questionRecords,
} from '../grading/personalGrading.ts';
import { allowanceRecords } from '../items/personalAllowances.ts';
import type { PersonalRecord } from '../personalData/personalDataService.ts';
import type { PersonalFile } from './streamPersonFiles.ts';

/** A person to erase. Ungraded submissions are always deleted, graded ones unless `keepGrades`. */
export interface ErasedPerson {
  userId: number;
  keepGrades: boolean;
}

/**
 * The personal data of a service with submissions. Each query has the id of the person as $1, continues after the id $2 of the
 * last row, and returns at most $3 rows.
 */
export interface PersonalSubmissions {
  /** Queries for the records of a person as a student and as a grader, by kind of record. */
  records: [kind: string, sql: string][];
  /** A query for all files that a person submitted, including replaced ones. */
  files: string;
  /** Deletes the records of a person and returns the ids of their files. */
  erase(sequelize: Sequelize, person: ErasedPerson, transaction: Transaction): Promise<number[]>;
}

const name = `
  SELECT user_id AS id, first_name, last_name, email, mobile FROM people
  WHERE user_id = $1 AND NOT is_deleted AND user_id > $2 LIMIT $3`;

const pageSize = 200;

/** Returns everything that the service stores about a person, both as a student and as a grader. */
export async function* personalRecords(
  sequelize: Sequelize,
  { records }: PersonalSubmissions,
  userId: number,
): AsyncGenerator<PersonalRecord> {
  const own = [
    ['claims', claimsOf],
    ['handed_in', handedInBy],
    ['grade_files', gradeFilesBy],
    ['grade_files_about', gradeFilesAbout],
    ...questionRecords,
    ...allowanceRecords,
  ] as const;
  for (const [kind, sql] of [['name', name], ...records, ...own] as const)
    for await (const record of rowsOf<{ id: number }>(sequelize, sql, userId)) yield { kind, record };
}

/** Returns all files that a person submitted, including replaced ones. */
export const personalFiles = (
  sequelize: Sequelize,
  { files }: PersonalSubmissions,
  userId: number,
): AsyncIterable<PersonalFile> => rowsOf<PersonalFile>(sequelize, files, userId);

async function* rowsOf<Row extends { id: number }>(
  sequelize: Sequelize,
  sql: string,
  userId: number,
): AsyncGenerator<Row> {
  const pages = keysetPages<Row>((last) =>
    query(sequelize, { sql, values: [userId, last?.id ?? 0, pageSize] }),
  );
  for await (const page of pages) yield* page;
}
