import type { Attributes, Model, ModelStatic, WhereOptions } from 'sequelize';
import { type SelectedPage, selectPage } from '../database/selectPage.ts';
import type { Page } from '../http/pagination.ts';

/** One page of a submission's gradings, newest first. */
export async function gradingHistory<Grading extends Model & { submissionId: number }>(
  gradings: ModelStatic<Grading>,
  submissionId: number,
  page: Page,
): Promise<SelectedPage<Attributes<Grading>>> {
  const where: WhereOptions = { submissionId };
  return selectPage(page, await gradings.count({ where }), async (limit, offset) => {
    const rows = await gradings.findAll({ where, order: [['id', 'DESC']], limit, offset });
    return rows.map((row) => row.get());
  });
}
