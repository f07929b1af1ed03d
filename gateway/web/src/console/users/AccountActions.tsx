import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { useFormRequest } from '../../shared/form/useFormRequest.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { BusyButton } from '../../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../../shared/ui/ErrorNotice.tsx';
import { changeUser, deleteUser, usersKey } from './userRequests.ts';
import type { User } from './userTypes.ts';

/** Blocks, unblocks or deletes an account. */
export function AccountActions({ user, onChanged }: { user: User; onChanged(user: User): void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const queryClient = useQueryClient();
  const { isBusy, error, submit } = useFormRequest();
  const [open, setOpen] = useState<'block' | 'delete'>();
  const close = () => setOpen(undefined);
  const { id, name, is_blocked } = user;
  const block = async (isBlocked: boolean) => onChanged(await changeUser(id, { is_blocked: isBlocked }));
  const remove = async () => {
    await deleteUser(id);
    void queryClient.invalidateQueries({ queryKey: usersKey });
    await navigate({ to: '/console/users' });
  };

  return (
    <section className="section prose" aria-labelledby="account-access">
      <h2 id="account-access">{t('Access')}</h2>
      <p className="quiet">
        {is_blocked
          ? t('This person cannot log in.')
          : t('A blocked person cannot log in. All their sessions end within two seconds.')}
      </p>
      <ErrorNotice text={error} />
      <div className="form-buttons">
        {is_blocked ? (
          <BusyButton className="button" isBusy={isBusy} onPress={() => void submit(() => block(false))}>
            {t('Unblock')}
          </BusyButton>
        ) : (
          <Button className="button" onPress={() => setOpen('block')}>
            {t('Block')}
          </Button>
        )}
        <Button className="button danger" onPress={() => setOpen('delete')}>
          {t('Delete the account')}
        </Button>
      </div>
      {open === 'block' && (
        <ConfirmDialog
          title={t('Block {name}?', { name })}
          action={t('Block')}
          onConfirm={() => block(true)}
          onClose={close}
        >
          <p>{t('All sessions end within two seconds. Unsaved work on those devices is lost.')}</p>
        </ConfirmDialog>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t('Delete the account of {name}?', { name })}
          action={t('Delete the account')}
          onConfirm={remove}
          onClose={close}
        >
          <p>
            {t(
              'The account, its sessions and its devices are deleted. Submissions are kept without the name. This cannot be undone.',
            )}
          </p>
        </ConfirmDialog>
      )}
    </section>
  );
}
