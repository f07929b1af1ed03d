import { getRouteApi } from '@tanstack/react-router';
import { type Translate, useTranslation } from '../shared/language/useTranslation.ts';
import { useSessionState } from '../shared/session/currentSession.ts';
import { ErrorNotice } from '../shared/ui/ErrorNotice.tsx';
import { ProviderLinks } from './ProviderLinks.tsx';
import { SignInCode } from './SignInCode.tsx';

const route = getRouteApi('/login');

/** The providers that people can sign in with, and how the last attempt ended. */
export function SingleSignOn() {
  const { t } = useTranslation();
  const { next, error, second_factor: asksCode } = route.useSearch();
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
      <ProviderLinks next={next} />
    </>
  );
}

function messageOf(error: string, t: Translate): string {
  switch (error) {
    case 'sso_no_account':
      return t('No account belongs to this sign-in. Ask your school.');
    case 'sso_blocked':
      return t('This account cannot log in here. Ask your school.');
    case 'sso_taken':
      return t('This sign-in belongs to another account.');
    case 'sso_reauthentication':
      return t('This school asks for your password before important changes.');
    case 'sso_unavailable':
      return t('The sign-in service does not respond. Try again later.');
    default:
      return t('The sign-in failed. Try again.');
  }
}
