import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ApiError } from '../../shared/api/apiError.ts';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import type { Item, ItemId } from '../queue/gradingTypes.ts';
import { type DescribedItem, describedItemQuery, useItemRefresh } from '../queue/itemQueries.ts';
import { changeItem } from '../queue/itemRequests.ts';
import { changedSettings, isConflict, releasesGrades, settingFields } from './changedSettings.ts';

/** Saves changed settings. Changes that someone else has since made to other settings are kept. */
export function useSettings(id: ItemId, base: DescribedItem, onSaved: (saved: DescribedItem) => void) {
  const queryClient = useQueryClient();
  const refresh = useItemRefresh(id);
  const { isBusy, error, errorOf, submit } = useFormRequest(settingFields);
  const [statusText, setStatusText] = useState<'Saved' | 'Nothing has changed' | ''>('');
  /** Another person's settings that conflict with the form. */
  const [theirs, setTheirs] = useState<DescribedItem>();
  /** Changes that release the grades, with the current item: the user confirms these first. */
  const [releasing, setReleasing] = useState<{ body: FormData; item: Item }>();
  const read = () => queryClient.fetchQuery({ ...describedItemQuery(id), staleTime: 0 });

  async function send(body: FormData): Promise<void> {
    try {
      await changeItem(id, body, base.etag);
    } catch (failure) {
      if (!(failure instanceof ApiError && failure.status === 412)) throw failure;
      const current = await read();
      if (isConflict(body, base.item, current.item)) return setTheirs(current);
      await changeItem(id, body, current.etag);
    }
    onSaved(await read());
    void refresh();
    setStatusText('Saved');
  }

  async function save(form: FormData): Promise<void> {
    setStatusText('');
    setTheirs(undefined);
    const body = changedSettings(form, base.item);
    if (body.keys().next().done) setStatusText('Nothing has changed');
    else if (releasesGrades(body, base.item))
      await submit(async () => setReleasing({ body, item: (await read()).item }));
    else await submit(() => send(body));
  }

  const releaseDialog = releasing && {
    graded: releasing.item.graded,
    anonymous: releasing.item.anonymous,
    onRelease: () => send(releasing.body),
    onClose: () => setReleasing(undefined),
  };
  return { isBusy, error, errorOf, statusText, theirs, save, releaseDialog };
}
