import { getRouteApi } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { type Translate, useTranslation } from '../shared/language/useTranslation.ts';
import { useSessionState } from '../shared/session/currentSession.ts';
import { ErrorNotice } from '../shared/ui/ErrorNotice.tsx';
import { SignInCode } from './SignInCode.tsx';

interface Provider {
  id: string;
  name: string;
}

const route = getRouteApi('/login');

/** The providers that people can sign in with, and how the last attempt ended. */
export function SingleSignOn() {
  const { t } = useTranslation();
  const { next, error, second_factor: asksCode } = route.useSearch();
  const providers = useProviders();
  const { status } = useSessionState();
  return (
    <>
      {error !== undefined && <ErrorNotice text={messageOf(error, t)} />}
      {status === 'in' && (
        <a className="button" href="/account">
          {t('Back to your account')}
        </a>
      )}
      {asksCode !== undefined && <SignInCode provider={asksCode} />}
      {providers.length > 0 && (
        <nav className="login-buttons" aria-label={t('Single sign-on')}>
          {providers.map(({ id, name }) => (
            <a key={id} className="button" href={`/session/sso/${id}${queryOf(next)}`}>
              {t('Sign in with {name}', { name })}
            </a>
          ))}
        </nav>
      )}
    </>
  );
}

/** Empty until they are loaded, and without single sign-on. Passwords work in any case. */
function useProviders(): Provider[] {
  const [providers, setProviders] = useState<Provider[]>([]);
  useEffect(() => {
    const aborter = new AbortController();
    fetch('/api/v3/login/providers', { signal: aborter.signal })
      .then(async (response) => response.ok && setProviders((await response.json()).data))
      .catch(() => {});
    return () => aborter.abort();
  }, []);
  return providers;
}

const queryOf = (next: string | undefined): string => (next ? `?${new URLSearchParams({ next })}` : '');

function messageOf(error: string, t: Translate): string {
  switch (error) {
    case 'sso_no_account':
      return t('No account belongs to this sign-in. Ask your school.');
    case 'sso_blocked':
      return t('This account cannot log in here. Ask your school.');
    case 'sso_taken':
      return t('This sign-in belongs to another account.');
    case 'sso_unavailable':
      return t('The sign-in service does not respond. Try again later.');
    default:
      return t('The sign-in failed. Try again.');
  }
}
