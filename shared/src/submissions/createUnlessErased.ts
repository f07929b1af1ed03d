import type { Sequelize, Transaction } from 'sequelize';
import { query } from '../database/query.ts';
import { personErased } from '../personalData/erasedPeople.ts';

interface Row {
  id: number | null;
  isErased: boolean;
}

/**
 * Runs a statement that creates a submission unless its student was erased, and that returns a {@link Row}. Returns the id;
 * undefined if the submission was not created. Must follow the statement that locked the student (`lockShared`).
 * @throws AppError `unauthenticated` when the student was erased
 */
export async function createUnlessErased(
  sequelize: Sequelize,
  sql: string,
  values: unknown[],
  transaction: Transaction,
): Promise<number | undefined> {
  const [row] = await query<Row>(sequelize, { name: 'create submission', sql, values, transaction });
  if (row?.isErased) throw personErased();
  return row?.id ?? undefined;
}
