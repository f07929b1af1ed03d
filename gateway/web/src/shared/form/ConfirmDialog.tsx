import type { ReactNode } from 'react';
import { FormDialog } from './FormDialog.tsx';
import { useDialogForm } from './useDialogForm.ts';

interface Props {
  title: string;
  action: string;
  onConfirm(): Promise<unknown>;
  onClose(): void;
  /** Names the data that will be lost. */
  children: ReactNode;
}

/** Asks for confirmation before data is lost. */
export function ConfirmDialog({ title, action, onConfirm, onClose, children }: Props) {
  const { dialog } = useDialogForm(onConfirm, onClose);
  return (
    <FormDialog title={title} action={action} isDangerous {...dialog}>
      {children}
    </FormDialog>
  );
}
