import type { IncomingHttpHeaders } from 'node:http';
import { unavailable } from '@gradeway/shared/errors/appError';
import type { AuthClient, AuthResponse } from './authClient.ts';

/** The token of an answer of auth. */
interface IssuedToken {
  token: string;
  /** When it expires, in Unix seconds. */
  expiresAt: number;
}

/** The headers that auth needs of every request, without those of the body and of the token. */
export type CallHeaders = IncomingHttpHeaders;

/** What a browser does with its session at auth: the requests of any other client, made on its behalf. */
export class BrowserSessions {
  readonly #auth: AuthClient;

  constructor(auth: AuthClient) {
    this.#auth = auth;
  }

  /** Logs in by the fields of the body: with a one-time code, or else with a password. */
  logIn(headers: CallHeaders, body: Buffer | undefined): Promise<AuthResponse> {
    return this.#auth.post(hasOnlyCode(body) ? '/api/v3/login/otp/verify' : '/api/v3/login', headers, body);
  }

  refresh(headers: CallHeaders, token: string): Promise<AuthResponse> {
    return this.#auth.post('/api/v3/token/refresh', bearing(headers, token));
  }

  /**
   * Ends the session of a token, also when auth refuses the token itself: it may have expired, or its successor may have
   * been lost with an answer. A refresh then either answers a token that ends the session, or the session is over.
   */
  async end(headers: CallHeaders, token: string): Promise<void> {
    if (await this.#logOut(headers, token)) return;
    const refreshed = await this.refresh(headers, token);
    if (refreshed.status === 401) return;
    await this.#logOut(headers, issuedToken(refreshed).token);
  }

  /** False when auth refuses the token. */
  async #logOut(headers: CallHeaders, token: string): Promise<boolean> {
    const answer = await this.#auth.post('/api/v3/logout', bearing(headers, token));
    if (answer.status !== 204 && answer.status !== 401) throw unexpected(answer);
    return answer.status === 204;
  }
}

/** The token in the answer to a login or a refresh. */
export function issuedToken(answer: AuthResponse): IssuedToken {
  if (answer.status !== 200) throw unexpected(answer);
  const { access_token: token, expires_in: expiresAt } = JSON.parse(answer.body.toString());
  return { token, expiresAt };
}

const unexpected = ({ status }: AuthResponse) => unavailable(new Error(`auth answered ${status}`));

const bearing = (headers: CallHeaders, token: string): CallHeaders => ({
  ...headers,
  authorization: `Bearer ${token}`,
});

// A body that is not JSON is left to the login, which refuses it.
function hasOnlyCode(body: Buffer | undefined): boolean {
  try {
    const { password, code } = JSON.parse(body?.toString() ?? '') ?? {};
    return (password ?? undefined) === undefined && (code ?? undefined) !== undefined;
  } catch {
    return false;
  }
}
