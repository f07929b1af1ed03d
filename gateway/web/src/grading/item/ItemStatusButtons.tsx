import { useState } from 'react';
import { Button } from 'react-aria-components';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import type { Item, ItemId } from '../queue/gradingTypes.ts';
import { useItemRefresh } from '../queue/itemQueries.ts';
import { hideGrades, publishItem } from '../queue/itemRequests.ts';
import { ReleaseDialog } from './ReleaseDialog.tsx';

/**
 * The actions with which a teacher changes the state of an item. Releasing asks first: students cannot unsee a grade.
 */
export function ItemStatusButtons({ id, item }: { id: ItemId; item: Item }) {
  const { t } = useTranslation();
  const refresh = useItemRefresh(id);
  const { isBusy, error, submit } = useFormRequest();
  const [isReleasing, setReleasing] = useState(false);
  const run = (request: (item: ItemId) => Promise<void>) => void submit(() => request(id).then(refresh));

  return (
    <div className="item-status-buttons">
      {!item.published && (
        <BusyButton className="button primary" isBusy={isBusy} onPress={() => run(publishItem)}>
          {t('Publish')}
        </BusyButton>
      )}
      {item.published && item.released_at === null && (
        <Button className="button" aria-haspopup="dialog" onPress={() => setReleasing(true)}>
          {t('Release grades')}
        </Button>
      )}
      {item.published && item.released_at !== null && (
        <BusyButton className="button" isBusy={isBusy} onPress={() => run(hideGrades)}>
          {t('Hide grades')}
        </BusyButton>
      )}
      <ErrorNotice text={error} />
      {isReleasing && (
        <ReleaseDialog
          id={id}
          graded={item.graded}
          anonymous={item.anonymous}
          onClose={() => setReleasing(false)}
        />
      )}
    </div>
  );
}
