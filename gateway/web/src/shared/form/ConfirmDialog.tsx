import type { ReactNode } from 'react';
import { FormDialog } from './FormDialog.tsx';
import { useFormRequest } from './useFormRequest.ts';

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
  const { isBusy, error, submit } = useFormRequest();
  const confirm = async () => {
    if (await submit(onConfirm)) onClose();
  };
  return (
    <FormDialog
      title={title}
      action={action}
      isBusy={isBusy}
      error={error}
      isDangerous
      onSubmit={() => void confirm()}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  );
}
