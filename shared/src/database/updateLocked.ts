import type { Attributes, Model, ModelStatic, Transaction, WhereOptions } from 'sequelize';

/** Updates a row that the transaction has locked, and returns its new state. */
export async function updateLocked<Row extends Model & { id: number }>(
  model: ModelStatic<Row>,
  id: number,
  values: Partial<Attributes<Row>>,
  transaction: Transaction,
): Promise<Row> {
  const where: WhereOptions = { id };
  const [, [row]] = await model.update(values, { where, transaction, returning: true });
  if (!row) throw new Error(`${model.tableName} ${id} disappeared while it was locked`);
  return row;
}
