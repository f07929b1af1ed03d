import { type Attributes, type Model, type ModelStatic, Op, type WhereOptions } from 'sequelize';
import { type SelectedPage, selectPage } from '../database/selectPage.ts';
import type { Page } from '../http/pagination.ts';

/** One page of a submission's gradings, newest first. An undoing is none. */
export async function gradingHistory<Grading extends Model & { submissionId: number; reason: string }>(
  gradings: ModelStatic<Grading>,
  submissionId: number,
  page: Page,
): Promise<SelectedPage<Attributes<Grading>>> {
  const where: WhereOptions = { submissionId, reason: { [Op.ne]: 'ungraded' } };
  return selectPage(page, await gradings.count({ where }), async (limit, offset) => {
    const rows = await gradings.findAll({ where, order: [['id', 'DESC']], limit, offset });
    return rows.map((row) => row.get());
  });
}
