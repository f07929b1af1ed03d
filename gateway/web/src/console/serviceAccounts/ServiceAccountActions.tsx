import { useState } from 'react';
import { ConfirmDialog } from '../../shared/form/ConfirmDialog.tsx';
import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { RowButton } from '../../shared/list/RowButton.tsx';
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
  const button = (text: string, onPress: () => void) => (
    <RowButton text={text} label={`${text}: ${name}`} onPress={onPress} />
  );
  return (
    <>
      {button(t('Edit'), () => setOpen('edit'))}
      {is_disabled ? (
        button(t('Enable'), () => void setDisabled(false))
      ) : (
        <>
          {button(t('New token'), () => setOpen('token'))}
          {button(t('Disable'), () => setOpen('disable'))}
        </>
      )}
      {button(t('Delete'), () => setOpen('delete'))}
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
