import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { GradingItem, Kind } from '../../shared/api/workTypes.ts';
import { LoadedDialog } from '../../shared/form/LoadedDialog.tsx';
import { describedItemQuery } from './courseLists.ts';
import type { StoredItemOf } from './courseTypes.ts';

interface Props<K> {
  kind: K;
  item: GradingItem;
  title: string;
  onClose(): void;
  /** The edit dialog. */
  children(stored: StoredItemOf<K>): ReactNode;
}

/** Loads the stored values of an item before showing its edit dialog. */
export function StoredItem<K extends Kind>({ kind, item, title, onClose, children }: Props<K>) {
  const stored = useQuery(describedItemQuery(item.course_id, kind, item.id));
  return (
    <LoadedDialog query={stored} title={title} onClose={onClose}>
      {(data) => children(data as StoredItemOf<K>)}
    </LoadedDialog>
  );
}
