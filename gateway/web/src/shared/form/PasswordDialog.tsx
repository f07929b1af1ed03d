import { givePassword, usePasswordRequest } from '../access/passwordRequest.ts';
import { useWords } from '../language/text.ts';
import { Field } from './Field.tsx';
import { FormDialog } from './FormDialog.tsx';
import { useSubmission } from './useSubmission.ts';

/** Asks an administrator for the password before what the installation protects by it. */
export function PasswordDialog() {
  const request = usePasswordRequest();
  const { t } = useWords();
  const { isBusy, mistake, mistakeOf, submit } = useSubmission(['password']);
  if (!request) return null;
  const send = async (form: FormData) => {
    if (await submit(() => givePassword(String(form.get('password'))))) request.onGiven();
  };
  return (
    <FormDialog
      title={t('Enter your password again')}
      action={t('Continue')}
      isBusy={isBusy}
      mistake={mistake}
      onSubmit={(form) => void send(form)}
      onClose={request.onRefused}
    >
      <p className="quiet">{t('This school asks for your password before important changes.')}</p>
      <Field
        label={t('Password')}
        name="password"
        type="password"
        autoComplete="current-password"
        mistake={mistakeOf('password')}
        autoFocus
      />
    </FormDialog>
  );
}
