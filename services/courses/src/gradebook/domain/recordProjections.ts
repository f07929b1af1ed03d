import { findErasedWithGrades } from '@gradeway/shared/personalData/erasedPeople';
import type { Sequelize, Transaction } from 'sequelize';
import type { ProjectionDependencies } from '../dependencies.ts';
import type { GradebookAllowance, GradebookSubmission } from './projections.ts';

/** Records when submissions were received. Ignores people who were erased together with their grades. */
export async function recordSubmissions(
  { sequelize, projections }: ProjectionDependencies,
  given: GradebookSubmission[],
  transaction: Transaction,
): Promise<void> {
  await projections.saveSubmissions(await ofOthers(sequelize, given, transaction), transaction);
}

/** Records the allowances of students. Ignores people who were erased together with their grades. */
export async function recordAllowances(
  { sequelize, projections }: ProjectionDependencies,
  given: GradebookAllowance[],
  transaction: Transaction,
): Promise<void> {
  await projections.saveAllowances(await ofOthers(sequelize, given, transaction), transaction);
}

// The events may have been in flight when a student was erased.
async function ofOthers<Row extends { studentId: number }>(
  sequelize: Sequelize,
  rows: Row[],
  transaction: Transaction,
): Promise<Row[]> {
  const studentIds = [...new Set(rows.map(({ studentId }) => studentId))];
  const erased = await findErasedWithGrades(sequelize, studentIds, transaction);
  return rows.filter(({ studentId }) => !erased.has(studentId));
}
