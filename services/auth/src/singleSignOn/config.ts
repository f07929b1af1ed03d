import type { Setting } from '@gradeway/shared/config/readConfig';
import { text } from '@gradeway/shared/config/settingKinds';
import { z } from 'zod';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

function isIssuer(value: string): boolean {
  if (!URL.canParse(value)) return false;
  const { protocol, hostname, search, hash } = new URL(value);
  const isSafe = protocol === 'https:' || (protocol === 'http:' && loopback.has(hostname));
  return isSafe && search === '' && hash === '';
}

const words = z.union([z.array(z.string()), z.string().transform((value) => value.split(/\s+/))]);

const provider = z
  .strictObject({
    id: z.string().regex(/^[a-z0-9][a-z0-9_-]{0,40}$/, 'must consist of a-z, 0-9, - and _'),
    name: z.string().trim().min(1).max(100),
    issuer: z.string().refine(isIssuer, 'must be an https URL, or http on a loopback host'),
    client_id: z.string().min(1),
    client_secret: z.string().min(1),
    scopes: words.default(['openid', 'email', 'profile']),
    domains: z
      .array(
        z
          .string()
          .regex(/^[^@\s]+$/, 'must be mail domains')
          .toLowerCase(),
      )
      .default([]),
    roles: z
      .strictObject({
        claim: z.string().min(1),
        map: z.record(
          z.string(),
          z.enum(['user', 'instructor', 'parent'], 'must be user, instructor or parent: never admin'),
        ),
      })
      .optional(),
    create: z.boolean().default(false),
    end_session: z.boolean().default(false),
  })
  .transform(({ client_id, client_secret, end_session, scopes, ...rest }) => ({
    ...rest,
    clientId: client_id,
    clientSecret: client_secret,
    scope: [...new Set(['openid', ...scopes])].join(' '),
    endsSession: end_session,
  }));

const providers = z
  .array(provider)
  .refine((list) => new Set(list.map(({ id }) => id)).size === list.length, 'must have different ids');

/** An OpenID provider that people can sign in with. */
export type ProviderSettings = z.output<typeof provider>;

const { alternative: _providers, ...providersText } = text('OIDC_PROVIDERS', {
  default: '[]',
  about:
    'OpenID providers for single sign-on, as a JSON list of `{id, name, issuer, client_id, client_secret, scopes?, domains?, roles?: {claim, map}, create?, end_session?}`; better as a file (`OIDC_PROVIDERS_FILE`), because it contains secrets',
});

const oidcProviders: Setting<ProviderSettings[]> = { ...providersText, kind: 'JSON list', parse };

// The message never contains a value, because it may be a secret.
function parse(value: string): ProviderSettings[] {
  const { data, error } = providers.safeParse(parseJson(value));
  if (data) return data;
  const [issue] = error.issues;
  const place = issue?.path.join('.') ?? '';
  throw new Error(place === '' ? `${issue?.message}` : `has an invalid ${place}: ${issue?.message}`);
}

function parseJson(value: string): unknown {
  try {
    return JSON.parse(value);
  } catch {
    throw new Error('must be a JSON list');
  }
}

const { alternative: _login, ...loginText } = text('PASSWORD_LOGIN', {
  default: 'on',
  about:
    'Whether accounts with an address in the `domains` of a provider can log in with a password or a one-time code: on or off. Administrators always can',
});

const allowsPasswords: Setting<boolean> = {
  ...loginText,
  kind: 'on or off',
  parse(value) {
    if (value !== 'on' && value !== 'off') throw new Error(`must be on or off, but is "${value}"`);
    return value === 'on';
  },
};

export const singleSignOnSettings = { oidcProviders, allowsPasswords };
