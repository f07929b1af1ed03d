import type { ItemId } from '../queue/gradingTypes.ts';
import { ItemBreadcrumb } from './ItemBreadcrumb.tsx';

interface Props {
  item: ItemId;
  itemTitle: string | undefined;
  title: string;
}

/** The title of a page about an item, below the link to its submissions. */
export function ItemPageHeader({ item, itemTitle, title }: Props) {
  return (
    <div className="page-header">
      <div>
        <ItemBreadcrumb item={item} title={itemTitle} />
        <h1>{title}</h1>
      </div>
    </div>
  );
}
