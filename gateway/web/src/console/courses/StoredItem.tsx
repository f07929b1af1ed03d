import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Modal } from '../../shared/ui/Modal.tsx';
import { ErrorState, Loading } from '../../shared/ui/states.tsx';
import { describedItemQuery } from './courseLists.ts';
import type { CourseItem, StoredItemOf } from './courseTypes.ts';

interface Props<Kind> {
  kind: Kind;
  item: CourseItem;
  title: string;
  onClose(): void;
  /** The edit dialog. */
  children(stored: StoredItemOf<Kind>): ReactNode;
}

/** Loads the stored values of an item before showing its edit dialog. */
export function StoredItem<Kind extends 'quizzes' | 'homeworks'>({
  kind,
  item,
  title,
  onClose,
  children,
}: Props<Kind>) {
  const { data, error, refetch } = useQuery(describedItemQuery(item.course_id, kind, item.id));
  if (data) return children(data as StoredItemOf<Kind>);
  return (
    <Modal title={title} isOpen onClose={onClose}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Modal>
  );
}
