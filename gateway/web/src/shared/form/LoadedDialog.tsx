import type { ReactNode } from 'react';
import { Modal } from '../ui/Modal.tsx';
import { ErrorState, Loading } from '../ui/states.tsx';

interface Props<T> {
  query: { data: T | undefined; error: unknown; refetch(): Promise<unknown> };
  title: string;
  onClose(): void;
  /** The dialog. */
  children(stored: T): ReactNode;
}

/** Loads stored values before showing the dialog that edits them. */
export function LoadedDialog<T>({ query: { data, error, refetch }, title, onClose, children }: Props<T>) {
  if (data !== undefined) return children(data);
  return (
    <Modal title={title} isOpen onClose={onClose}>
      {error ? <ErrorState error={error} onRetry={() => void refetch()} /> : <Loading />}
    </Modal>
  );
}
