import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Breadcrumb } from '../../shared/layout/Breadcrumb.tsx';
import type { ItemId } from '../queue/gradingTypes.ts';

/** A link to the submissions of an item. */
export function ItemBreadcrumb({ item, title }: { item: ItemId; title: string | undefined }) {
  const { t } = useTranslation();
  return (
    <Breadcrumb to="/grading/$kind/$itemId" params={item}>
      <span className="written-line" dir="auto">
        {title ?? t('Grading')}
      </span>
    </Breadcrumb>
  );
}
