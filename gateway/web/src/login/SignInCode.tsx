import { type SubmitEvent, useState } from 'react';
import { ApiError } from '../shared/api/apiError.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { session } from '../shared/session/currentSession.ts';
import { completeSignIn } from '../shared/session/signInRequests.ts';
import { BusyButton } from '../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../shared/ui/ErrorNotice.tsx';

/** Asks an administrator who has signed in with a provider for the second factor. */
export function SignInCode({ provider }: { provider: string }) {
  const { t } = useTranslation();
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);

  async function send(event: SubmitEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    if (isBusy) return;
    const totp = String(new FormData(event.currentTarget).get('totp'));
    setBusy(true);
    setError('');
    try {
      await session.begin(await completeSignIn(provider, totp));
    } catch (error) {
      setError(error instanceof ApiError ? t(error.sentence) : t('There is no connection. Try again.'));
    } finally {
      setBusy(false);
    }
  }

  return (
    <form className="login-form" noValidate onSubmit={(event) => void send(event)}>
      <ErrorNotice text={error} />
      <label className="field">
        <span className="field-label">{t('Second factor')}</span>
        {/* biome-ignore lint/a11y/noAutofocus: the sign-in continues here */}
        <input className="input" name="totp" autoComplete="one-time-code" autoFocus required />
      </label>
      <BusyButton type="submit" className="button primary" isBusy={isBusy}>
        {t('Continue')}
      </BusyButton>
    </form>
  );
}
