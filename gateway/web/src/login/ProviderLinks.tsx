import { useEffect, useState } from 'react';
import { useTranslation } from '../shared/language/useTranslation.ts';

interface Provider {
  id: string;
  name: string;
}

interface Props {
  /** The page to show after the sign-in. */
  next: string | undefined;
  /** Offers only these providers, each of which asks for the credentials again. */
  toReauthenticate?: readonly string[];
}

/** Links to the providers that people can sign in with. They are pages of the gateway, so they leave the application. */
export function ProviderLinks({ next, toReauthenticate }: Props) {
  const { t } = useTranslation();
  const providers = useProviders().filter(({ id }) => toReauthenticate?.includes(id) ?? true);
  if (providers.length === 0) return null;
  const query = new URLSearchParams({
    ...(next !== undefined && { next }),
    ...(toReauthenticate && { reauthenticate: '1' }),
  });
  return (
    <nav className="login-buttons" aria-label={t('Single sign-on')}>
      {providers.map(({ id, name }) => (
        <a key={id} className="button" href={`/session/sso/${id}?${query}`}>
          {t('Sign in with {name}', { name })}
        </a>
      ))}
    </nav>
  );
}

/**
 * Empty until they are loaded, and without single sign-on. Passwords work in any case. Does not use the API's client,
 * whose requests wait until the user has logged in.
 */
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

/** The page that is open. */
export const currentPage = (): string => location.pathname + location.search;
