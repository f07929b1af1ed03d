import { query } from '@gradeway/shared/database/query';
import { unavailable } from '@gradeway/shared/errors/appError';
import type { Sequelize, Transaction } from 'sequelize';

interface Person {
  userId: number;
  keepGrades: boolean;
  email: string;
  sourcedId: string;
}

const deleteGrades = 'DELETE FROM grades WHERE student_id = $1';
// If grades are kept, so is the data that their penalties for late work depend on.
const deleteSubmissions = `
  DELETE FROM gradebook_submissions s WHERE s.student_id = $1 AND NOT EXISTS (
    SELECT FROM grades g WHERE g.kind = s.kind AND g.submission_id = s.submission_id AND g.grade IS NOT NULL)`;
const deleteAllowances = `
  DELETE FROM gradebook_allowances a WHERE a.student_id = $1 AND NOT EXISTS (
    SELECT FROM grades g
    WHERE g.student_id = a.student_id AND g.kind = a.kind AND g.item_id = a.item_id AND g.grade IS NOT NULL)`;
const forgetGrades = 'UPDATE roster SET is_graded = false WHERE user_id = $1';
const deleteRoster = 'DELETE FROM roster WHERE user_id = $1 AND NOT is_graded';
const deleteInstructor = 'DELETE FROM instructors WHERE user_id = $1';
const deleteMail = 'DELETE FROM mail_messages WHERE user_id = $1';
const deleteMailPreferences = 'DELETE FROM mail_preferences WHERE user_id = $1';
const deleteCalendar = 'DELETE FROM calendars WHERE owner_id = $1';
const deleteSources = 'DELETE FROM enrollment_sources WHERE user_id = $1';

// The import rows about the person: their account and their enrollments.
const isAboutPerson = `
  (user_id = $1 OR ($2 <> '' AND lower(wanted->>'email') = lower($2))
    OR ($3 <> '' AND file IN ('users', 'known') AND sourced_id = $3)
    OR ($3 <> '' AND file IN ('enrollments', 'instructors') AND wanted->>'userSourcedId' = $3))`;
const unfinishedImports = `
  SELECT id FROM imports i WHERE state IN ('planning', 'committing', 'releasing', 'committed')
    AND EXISTS (SELECT FROM import_rows r WHERE r.import_id = i.id AND ${isAboutPerson})`;
// Without this person, a plan would differ from the approved one.
const deletePlans = `
  DELETE FROM imports i WHERE state = 'planned'
    AND EXISTS (SELECT FROM import_rows r WHERE r.import_id = i.id AND ${isAboutPerson})`;
const deleteImportRows = `
  DELETE FROM import_rows r USING imports i
  WHERE i.id = r.import_id AND i.state IN ('refused', 'done') AND ${isAboutPerson}`;

/** Deletes a person's data after their enrollments and assignments have ended. Kept grades no longer have a name. */
export async function eraseRecords(
  sequelize: Sequelize,
  { userId, keepGrades }: Person,
  transaction: Transaction,
): Promise<void> {
  const values = [userId];
  await query(sequelize, { sql: deleteInstructor, values, transaction });
  await query(sequelize, { sql: deleteSources, values, transaction });
  await query(sequelize, { sql: deleteMail, values, transaction });
  await query(sequelize, { sql: deleteMailPreferences, values, transaction });
  await query(sequelize, { sql: deleteCalendar, values, transaction });
  if (!keepGrades) {
    await query(sequelize, { sql: deleteGrades, values, transaction });
    await query(sequelize, { sql: forgetGrades, values, transaction });
  }
  await query(sequelize, { sql: deleteSubmissions, values, transaction });
  await query(sequelize, { sql: deleteAllowances, values, transaction });
  await query(sequelize, { sql: deleteRoster, values, transaction });
}

/**
 * Deletes a person from import reports, and deletes the plans that contain the person.
 * @throws AppError `unavailable` while an import that contains the person is in progress
 */
export async function eraseFromImports(sequelize: Sequelize, person: Person): Promise<void> {
  const values = [person.userId, person.email, person.sourcedId];
  await query(sequelize, { sql: deletePlans, values });
  await query(sequelize, { sql: deleteImportRows, values });
  const unfinished = await query(sequelize, { sql: unfinishedImports, values });
  if (unfinished.length > 0) throw unavailable('an import with the person is in progress');
}
