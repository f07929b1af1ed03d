import type { GradingTables } from '../grading/gradingTables.ts';
import { type ItemSettings, visibleFrom } from './item.ts';

/** The state of an item that determines whether students see a grade. */
export interface ItemVisibility extends Pick<ItemSettings, 'release' | 'releasedAt'> {
  itemCreatedAt: Date;
  itemRevision: number;
}

/** SQL for the columns of an {@link ItemVisibility}, for a query with {@link itemJoin}. */
export const visibilityColumns = `
  item.release, item.released_at AS "releasedAt", item.created_at AS "itemCreatedAt", item.revision AS "itemRevision"`;

/** SQL that joins the item, removed or not, of a submission `s`. */
export const itemJoin = ({ item, itemId }: Pick<GradingTables, 'item' | 'itemId'>): string =>
  `JOIN ${item.table} item ON item.${item.id} = s.${itemId}`;

/** The properties of a graded event that let subscribers hold a grade back until students may see it. */
export const visibilityOf = ({ itemCreatedAt, itemRevision, ...released }: ItemVisibility) => ({
  visible_from: visibleFrom({ ...released, createdAt: itemCreatedAt })?.toISOString() ?? null,
  item_revision: itemRevision,
});
