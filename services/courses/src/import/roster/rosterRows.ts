import type { Account } from '../domain/importedUser.ts';
import type { FoundStudent, PlannedStudent } from './rosterStudent.ts';

/** A planned row of an import (`import_rows`). */
export interface RosterRow {
  position: number;
  file: 'users' | 'known' | 'enrollments';
  line: number;
  sourcedId: string;
  action: string | null;
  wanted: object;
  courseId: number | null;
  userId: number;
  revision: number;
  account: Account | null;
}

/** Returns the rows of a plan: the accounts, and then the enrollments in the order of the file. */
export function toImportRows(courseId: number, students: PlannedStudent[]): RosterRow[] {
  const accounts = students.map(accountRow);
  const enrollments = students.map((student) => enrollmentRow(courseId, student));
  return [...accounts, ...enrollments].map((row, position) => ({ ...row, position }));
}

type Row = Omit<RosterRow, 'position'>;

function accountRow({ line, account, sourcedId, isNew }: FoundStudent): Row {
  const { userId, firstName, lastName, email } = account;
  const shared = { userId, account, courseId: null, revision: 0 };
  return isNew
    ? { ...shared, file: 'users', line, sourcedId, action: 'create', wanted: { firstName, lastName, email } }
    : { ...shared, file: 'known', line: 0, sourcedId: '', action: null, wanted: {} };
}

const enrollmentRow = (
  courseId: number,
  { line, account: { userId }, action, revision }: PlannedStudent,
): Row => ({
  file: 'enrollments',
  line,
  sourcedId: '',
  action,
  wanted: {},
  courseId,
  userId,
  revision,
  account: null,
});
