import { type SubmitEvent, useId, useState } from 'react';
import { Button } from 'react-aria-components';
import { ApiError } from '../shared/api/apiError.ts';
import { useTranslation } from '../shared/language/useTranslation.ts';
import { session } from '../shared/session/currentSession.ts';
import { beginSession, type Credentials, sendCode } from '../shared/session/sessionRequests.ts';
import { BusyButton } from '../shared/ui/BusyButton.tsx';
import { ErrorNotice } from '../shared/ui/ErrorNotice.tsx';
import { PasswordField } from './PasswordField.tsx';

const needsSecondFactor = 'A second factor is required.';

/** Logs in with a password or a one-time code. */
export function LoginForm({ autoFocus = false }: { autoFocus?: boolean }) {
  const { t } = useTranslation();
  const [isCodeSent, setCodeSent] = useState(false);
  const [asksSecondFactor, setAsksSecondFactor] = useState(false);
  const [error, setError] = useState('');
  const [isBusy, setBusy] = useState(false);
  const codeId = useId();

  /** Runs one request at a time and shows its errors. */
  async function attempt(work: () => Promise<void>): Promise<void> {
    if (isBusy) return;
    setBusy(true);
    setError('');
    try {
      await work();
    } catch (error) {
      if (error instanceof ApiError && error.message === needsSecondFactor) setAsksSecondFactor(true);
      setError(error instanceof ApiError ? t(error.sentence) : t('There is no connection. Try again.'));
    } finally {
      setBusy(false);
    }
  }

  const logIn = (event: SubmitEvent<HTMLFormElement>) => {
    event.preventDefault();
    const credentials = Object.fromEntries(new FormData(event.currentTarget)) as Credentials;
    void attempt(async () => session.begin(await beginSession(credentials)));
  };

  const requestCode = (form: HTMLFormElement | null | undefined) => {
    const email = form ? String(new FormData(form).get('email') ?? '').trim() : '';
    if (email === '') {
      setError(t('Enter your email address or mobile number first.'));
      return;
    }
    void attempt(async () => {
      await sendCode(email);
      setCodeSent(true);
    });
  };

  return (
    <form className="login-form" onSubmit={logIn} noValidate>
      <ErrorNotice text={error} />
      <label className="field">
        <span className="field-label">{t('Email or mobile number')}</span>
        <input
          className="input"
          name="email"
          autoComplete="username"
          // biome-ignore lint/a11y/noAutofocus: the user came to log in
          autoFocus={autoFocus}
          required
          dir="auto"
        />
      </label>
      {/* The keys make React replace the element: otherwise the password would appear as the code. */}
      {isCodeSent ? (
        <div key="code" className="field">
          <label htmlFor={codeId}>{t('Code')}</label>
          <input
            id={codeId}
            className="input"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            aria-describedby={`${codeId}-hint`}
            // biome-ignore lint/a11y/noAutofocus: the user has just requested the code
            autoFocus
            required
          />
          <p id={`${codeId}-hint`} className="quiet small">
            {t('If the account exists, we have sent a code. It is valid for ten minutes.')}
          </p>
        </div>
      ) : (
        <PasswordField key="password" />
      )}
      {asksSecondFactor && (
        <label className="field">
          <span className="field-label">{t('Second factor')}</span>
          {/* biome-ignore lint/a11y/noAutofocus: it appears because the login requires it */}
          <input className="input" name="totp" autoComplete="one-time-code" autoFocus required />
        </label>
      )}
      <div className="login-buttons">
        <BusyButton type="submit" className="button primary" isBusy={isBusy}>
          {t('Log in')}
        </BusyButton>
        <Button
          className="button plain"
          onPress={(event) => requestCode((event.target as HTMLElement).closest('form'))}
        >
          {isCodeSent ? t('Send another code') : t('Send me a code')}
        </Button>
        {isCodeSent && (
          <Button className="button plain" onPress={() => setCodeSent(false)}>
            {t('Use a password')}
          </Button>
        )}
      </div>
    </form>
  );
}
