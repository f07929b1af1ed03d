import type { IncomingHttpHeaders } from 'node:http';
import { unavailable } from '@gradeway/shared/errors/appError';
import type { AuthClient, AuthResponse } from './authClient.ts';

/** A token that auth has issued. */
interface IssuedToken {
  token: string;
  /** Expiry in Unix seconds. */
  expiresAt: number;
}

/** The headers that auth needs from every request, except those for its body and token. */
export type CallHeaders = IncomingHttpHeaders;

/** Logs in, refreshes and logs out at auth on behalf of a browser, with the same requests as any other client. */
export class BrowserSessions {
  readonly #auth: AuthClient;

  constructor(auth: AuthClient) {
    this.#auth = auth;
  }

  /** Logs in with a one-time code or a password, depending on the fields of the body. */
  logIn(headers: CallHeaders, body: Buffer | undefined): Promise<AuthResponse> {
    return this.#auth.post(hasOnlyCode(body) ? '/api/v3/login/otp/verify' : '/api/v3/login', headers, body);
  }

  refresh(headers: CallHeaders, token: string): Promise<AuthResponse> {
    return this.#auth.post('/api/v3/token/refresh', bearing(headers, token));
  }

  /**
   * Ends the session of a token, even if auth refuses the token because it has expired or because its successor was lost with a
   * response. In this case a refresh returns a token that can end the session, or shows that the session is over. Returns the path
   * that also ends the session at the provider that opened it, if there is one.
   */
  async end(headers: CallHeaders, token: string): Promise<string | undefined> {
    const response = await this.#logOut(headers, token);
    if (response.status === 204) return logoutLocation(response);
    const refreshed = await this.refresh(headers, token);
    if (refreshed.status === 401) return undefined;
    return logoutLocation(await this.#logOut(headers, issuedToken(refreshed).token));
  }

  /** The status is 401 if auth refuses the token. */
  async #logOut(headers: CallHeaders, token: string): Promise<AuthResponse> {
    const response = await this.#auth.post('/api/v3/logout', bearing(headers, token));
    if (response.status !== 204 && response.status !== 401) throw unexpected(response);
    return response;
  }
}

/** Reads the token from the response to a login or a refresh. */
export function issuedToken(response: AuthResponse): IssuedToken {
  if (response.status !== 200) throw unexpected(response);
  const { access_token: token, expires_in: expiresAt } = JSON.parse(response.body.toString());
  return { token, expiresAt };
}

const logoutLocation = ({ headers }: AuthResponse): string | undefined =>
  headers['logout-location']?.toString();

const unexpected = ({ status }: AuthResponse) =>
  unavailable(new Error(`auth responded with status ${status}`));

const bearing = (headers: CallHeaders, token: string): CallHeaders => ({
  ...headers,
  authorization: `Bearer ${token}`,
});

// The login refuses a body that is not JSON.
function hasOnlyCode(body: Buffer | undefined): boolean {
  try {
    const { password, code } = JSON.parse(body?.toString() ?? '') ?? {};
    return (password ?? undefined) === undefined && (code ?? undefined) !== undefined;
  } catch {
    return false;
  }
}
