import { useBlocker } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { Button } from 'react-aria-components';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { Modal } from '../../shared/ui/Modal.tsx';

interface Leaving {
  goOn(): void;
  stay(): void;
}

/** Blocks navigation while there are unsaved changes. Defined while the user is trying to leave. */
export function useLeaving(isUnsaved: boolean): Leaving | undefined {
  const { status, proceed, reset } = useBlocker({
    shouldBlockFn: () => isUnsaved,
    enableBeforeUnload: isUnsaved,
    withResolver: true,
  });
  return status === 'blocked' ? { goOn: proceed, stay: reset } : undefined;
}

/** Asks for confirmation before unsaved changes are lost. */
export function UnsavedDialog({ leaving, children }: { leaving: Leaving; children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <Modal title={t('Leave without saving?')} isOpen onClose={leaving.stay}>
      <p>{children}</p>
      <div className="dialog-buttons">
        <Button className="button" onPress={leaving.goOn}>
          {t('Leave')}
        </Button>
        <Button className="button primary" onPress={leaving.stay}>
          {t('Keep editing')}
        </Button>
      </div>
    </Modal>
  );
}
