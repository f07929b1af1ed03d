import { ApiError, readError } from '../api/apiError.ts';

export type Credentials =
  | { email: string; password: string; totp?: string }
  | { email: string; code: string; totp?: string };

// The gateway rejects requests without this header, which a form on another site cannot send.
export const headers = {
  accept: 'application/json',
  'content-type': 'application/json',
  'x-requested-with': 'gradeway',
};

export interface TokenResponse {
  access_token: string;
}

/** Starts a session. The gateway stores the refreshable token in a cookie that scripts cannot read. */
export async function beginSession(credentials: Credentials): Promise<string> {
  const response = await fetch('/session', { method: 'POST', headers, body: JSON.stringify(credentials) });
  if (!response.ok) throw await readError(response);
  return ((await response.json()) as TokenResponse).access_token;
}

/** Returns a new access token for the session; undefined if the session has ended. */
export async function refreshSession(): Promise<string | undefined> {
  // A refresh replaces the token in the cookie, so its response must arrive even if the user leaves the page.
  const request = { method: 'POST', headers, body: '{}', keepalive: true };
  const response = await fetch('/session/refresh', request);
  if (response.status === 401 || response.status === 403 || response.status === 404) return undefined;
  if (!response.ok) throw await readError(response);
  return ((await response.json()) as TokenResponse).access_token;
}

/** Ends the session everywhere. `token` is for a gateway that has lost the cookie. */
export async function endSession(token: string | undefined): Promise<void> {
  const authorization = token === undefined ? undefined : { authorization: `Bearer ${token}` };
  const response = await fetch('/session', { method: 'DELETE', headers: { ...headers, ...authorization } });
  if (!response.ok && response.status !== 401) throw await readError(response);
  // The page of the provider that opened the session, to end it there too.
  const page = response.headers.get('logout-location');
  if (page) location.assign(page);
}

/** Sends a one-time code. Succeeds whether or not the account exists. */
export async function sendCode(email: string): Promise<void> {
  const response = await fetch('/api/v3/login/otp', {
    method: 'POST',
    headers,
    body: JSON.stringify({ email }),
  });
  if (!response.ok) throw await readError(response);
}

/** Returns the name of the token's user. */
export async function readName(token: string): Promise<string> {
  const response = await fetch('/api/v3/me', { headers: { ...headers, authorization: `Bearer ${token}` } });
  if (!response.ok) throw new ApiError(response.status, response.statusText);
  return ((await response.json()) as { data: { name: string } }).data.name;
}
