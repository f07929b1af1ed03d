import { ApiError, readError } from '../api/apiError.ts';

export type Credentials =
  | { email: string; password: string; totp?: string }
  | { email: string; code: string; totp?: string };

// The gateway refuses requests without this header, which no form of another site can send.
const headers = {
  accept: 'application/json',
  'content-type': 'application/json',
  'x-requested-with': 'gradeway',
};

interface TokenAnswer {
  access_token: string;
}

/** Begins a session. The gateway keeps the refreshable token in a cookie that no script reads. */
export async function beginSession(credentials: Credentials): Promise<string> {
  const response = await fetch('/session', { method: 'POST', headers, body: JSON.stringify(credentials) });
  if (!response.ok) throw await readError(response);
  return ((await response.json()) as TokenAnswer).access_token;
}

/** A new access token of the session; undefined when there is none any more. */
export async function refreshSession(): Promise<string | undefined> {
  // A refresh replaces the token in the cookie, so its answer must arrive although the page is left meanwhile.
  const request = { method: 'POST', headers, body: '{}', keepalive: true };
  const response = await fetch('/session/refresh', request);
  if (response.status === 401 || response.status === 403 || response.status === 404) return undefined;
  if (!response.ok) throw await readError(response);
  return ((await response.json()) as TokenAnswer).access_token;
}

/** Ends the session everywhere. `token` is for a gateway that has lost the cookie. */
export async function endSession(token: string | undefined): Promise<void> {
  const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const response = await fetch('/session', { method: 'DELETE', headers: { ...headers, ...authorization } });
  if (!response.ok && response.status !== 401) throw await readError(response);
}

/** Sends a one-time code, whether or not the account exists. */
export async function sendCode(email: string): Promise<void> {
  const response = await fetch('/api/v3/login/otp', {
    method: 'POST',
    headers,
    body: JSON.stringify({ email }),
  });
  if (!response.ok) throw await readError(response);
}

/** The name of the person whom the token was given to. */
export async function readName(token: string): Promise<string> {
  const response = await fetch('/api/v3/me', { headers: { ...headers, authorization: `Bearer ${token}` } });
  if (!response.ok) throw new ApiError(response.status, response.statusText);
  return ((await response.json()) as { data: { name: string } }).data.name;
}
