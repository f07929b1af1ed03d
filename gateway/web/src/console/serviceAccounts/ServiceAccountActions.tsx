import { useState } from 'react';
import { Button } from 'react-aria-components';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { expiryOf } from '../../shared/tokens/expiry.ts';
import { ExpiryField } from '../../shared/tokens/TokenFields.tsx';
import type { ServiceAccount } from '../../shared/tokens/tokenTypes.ts';
import { ServiceAccountDialog } from './ServiceAccountDialog.tsx';
import {
  changeServiceAccount,
  createServiceToken,
  deleteServiceAccount,
  type NewServiceAccount,
} from './serviceAccountRequests.ts';

interface Props {
  account: ServiceAccount;
  onChanged(): Promise<void>;
  onToken(token: string): void;
}

/** Buttons and dialogs to change a service account. */
export function ServiceAccountActions({ account, onChanged, onToken }: Props) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'edit' | 'token' | 'disable' | 'delete'>();
  const close = () => setOpen(undefined);
  const { id, name, is_disabled } = account;
  const save = async ({ name, scopes, course_ids }: NewServiceAccount) => {
    await changeServiceAccount(id, { name, scopes, course_ids });
    await onChanged();
  };
  const setDisabled = (isDisabled: boolean) =>
    changeServiceAccount(id, { is_disabled: isDisabled }).then(onChanged);
  const addToken = async (form: FormData) => {
    onToken(await createServiceToken(id, expiryOf(form)));
    await onChanged();
  };
  const newToken = useDialogForm(addToken, close, ['expires_at']);
  const button = (action: typeof open, text: string, className = 'button') => (
    <Button className={className} aria-label={`${text}: ${name}`} onPress={() => setOpen(action)}>
      {text}
    </Button>
  );
  return (
    <>
      {button('edit', t('Edit'))}
      {is_disabled ? (
        <Button
          className="button"
          aria-label={`${t('Enable')}: ${name}`}
          onPress={() => void setDisabled(false)}
        >
          {t('Enable')}
        </Button>
      ) : (
        <>
          {button('token', t('New token'))}
          {button('disable', t('Disable'))}
        </>
      )}
      {button('delete', t('Delete'), 'button danger')}
      {open === 'edit' && <ServiceAccountDialog account={account} onSave={save} onClose={close} />}
      {open === 'token' && (
        <FormDialog title={t('New token')} action={t('Create')} {...newToken.dialog}>
          <p>{t('The earlier tokens stay valid.')}</p>
          <ExpiryField error={newToken.errorOf('expires_at')} />
        </FormDialog>
      )}
      {open === 'disable' && (
        <ConfirmDialog
          title={t('Disable the service account?')}
          action={t('Disable')}
          onConfirm={() => setDisabled(true)}
          onClose={close}
        >
          <p className="written">{name}</p>
          <p>{t('Its tokens end within seconds and stay ended, also when it is enabled again.')}</p>
        </ConfirmDialog>
      )}
      {open === 'delete' && (
        <ConfirmDialog
          title={t('Delete the service account?')}
          action={t('Delete')}
          onConfirm={() => deleteServiceAccount(id).then(onChanged)}
          onClose={close}
        >
          <p className="written">{name}</p>
          <p>{t('Its tokens end within seconds. This cannot be undone.')}</p>
        </ConfirmDialog>
      )}
    </>
  );
}
