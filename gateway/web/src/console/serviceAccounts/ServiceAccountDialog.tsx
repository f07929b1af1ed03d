import { FormDialog } from '../../shared/form/FormDialog.tsx';
import { useDialogForm } from '../../shared/form/useDialogForm.ts';
import { useTranslation } from '../../shared/language/useTranslation.ts';
import { expiryOf } from '../../shared/tokens/expiry.ts';
import { scopeTexts } from '../../shared/tokens/scopeTexts.ts';
import { ExpiryField, ScopeFields, TokenNameField } from '../../shared/tokens/TokenFields.tsx';
import type { Scope, ServiceAccount } from '../../shared/tokens/tokenTypes.ts';
import { CourseLimit, courseLimitOf } from './CourseLimit.tsx';
import type { NewServiceAccount } from './serviceAccountRequests.ts';

interface Props {
  account?: ServiceAccount;
  onSave(fields: NewServiceAccount): Promise<unknown>;
  onClose(): void;
}

/** Creates or changes a service account. */
export function ServiceAccountDialog({ account, onSave, onClose }: Props) {
  const { t } = useTranslation();
  const save = (form: FormData) =>
    onSave({
      name: String(form.get('name')).trim(),
      scopes: form.getAll('scopes') as Scope[],
      course_ids: courseLimitOf(form),
      ...expiryOf(form),
    });
  const fields = ['name', 'scopes', 'course_ids', 'expires_at'];
  const { dialog, errorOf } = useDialogForm(save, onClose, fields);
  return (
    <FormDialog
      title={account ? t('Edit the service account') : t('New service account')}
      action={account ? t('Save') : t('Create')}
      isEdit={account !== undefined}
      {...dialog}
    >
      {account && <p>{t('New permissions or courses end all tokens of the account.')}</p>}
      <TokenNameField label={t('Name')} defaultValue={account?.name} error={errorOf('name')} />
      <ScopeFields offered={scopeTexts} chosen={account?.scopes ?? []} error={errorOf('scopes')} />
      <CourseLimit chosen={account?.course_ids ?? null} error={errorOf('course_ids')} />
      {!account && <ExpiryField error={errorOf('expires_at')} />}
    </FormDialog>
  );
}
