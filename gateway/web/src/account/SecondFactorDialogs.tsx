import { Field } from '../shared/form/Field.tsx';
import { FormDialog } from '../shared/form/FormDialog.tsx';
import { useDialogForm } from '../shared/form/useDialogForm.ts';
import { useFormRequest } from '../shared/form/useFormRequest.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { DialogClose } from '../shared/ui/DialogClose.tsx';
import { Modal } from '../shared/ui/Modal.tsx';
import { confirmFactor, removeFactor } from './accountRequests.ts';

const codeOf = (form: FormData): string => String(form.get('code')).trim();

interface EnableProps {
  secret: string;
  address: string;
  onEnabled(codes: string[]): void;
  onClose(): void;
}

export function EnableDialog({ secret, address, onEnabled, onClose }: EnableProps) {
  const { t } = useTranslation();
  const { isBusy, error, errorOf, submit } = useFormRequest(['code']);
  const send = (form: FormData) => submit(async () => onEnabled(await confirmFactor(codeOf(form))));
  return (
    <FormDialog
      title={t('Set up a second factor')}
      action={t('Turn on')}
      isBusy={isBusy}
      error={error}
      onSubmit={(form) => void send(form)}
      onClose={onClose}
    >
      <p>{t('Enter this key in an authenticator app, then the code that the app shows.')}</p>
      <p>
        <code className="factor-secret" dir="ltr">
          {secret.replace(/(.{4})(?=.)/g, '$1 ')}
        </code>
      </p>
      <p>
        <a href={address}>{t('Open an app on this device')}</a>
      </p>
      <CodeField error={errorOf('code')} />
    </FormDialog>
  );
}

export function DisableDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation();
  const { dialog, errorOf } = useDialogForm((form) => removeFactor(codeOf(form)), onClose, ['code']);
  return (
    <FormDialog title={t('Turn off the second factor?')} action={t('Turn off')} isDangerous {...dialog}>
      <p>
        {t('You will then need only your password to log in. Enter a code from the app, or a recovery code.')}
      </p>
      <CodeField error={errorOf('code')} />
    </FormDialog>
  );
}

function CodeField({ error }: { error: string | undefined }) {
  const { t } = useTranslation();
  return (
    <Field
      label={t('Code')}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      dir="ltr"
      autoFocus
      error={error}
    />
  );
}

/** The codes are shown only once: without `onClose` the overlay cannot be closed by accident. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const { t } = useTranslation();
  return (
    <Modal title={t('Your recovery codes')} isOpen>
      <p>{t('Each of them can be used once instead of a code from the app. They are not shown again.')}</p>
      <ul className="recovery-codes" dir="ltr">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
      <DialogClose text={t('I have saved them')} isPrimary onClose={onClose} />
    </Modal>
  );
}
