import createClient from 'openapi-fetch';
import type { paths } from '../../../apiTypes/schema.ts';
import { session } from '../session/currentSession.ts';
import { needsReauthentication, reauthenticate } from '../session/reauthentication.ts';
import { setServerClock } from '../time/serverClock.ts';
import { errorOf } from './apiError.ts';

/**
 * Sends a request. If the installation requires the user to have just entered the password, asks for it and sends the
 * request again. Callers do not need to know which requests these are.
 */
async function confirmedFetch(request: Request): Promise<Response> {
  const again = request.clone();
  const response = await authorizedFetch(request);
  if (response.status !== 403) return response;
  const body = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (!needsReauthentication(response.status, body?.message)) return response;
  await reauthenticate();
  return authorizedFetch(again);
}

/** Sends a request with the access token, and retries it once with a new token if the old one has expired. */
async function authorizedFetch(request: Request): Promise<Response> {
  const again = request.clone();
  const token = await session.token();
  request.headers.set('authorization', `Bearer ${token}`);
  const response = await fetch(request);
  if (response.status !== 401) return response;
  again.headers.set('authorization', `Bearer ${await session.renew(token)}`);
  return fetch(again);
}

/** The API, typed by its OpenAPI document. */
export const api = createClient<paths>({ baseUrl: location.origin, fetch: confirmedFetch });

interface ApiResponse<T> {
  body: T;
  etag: string;
  /** The time of the response by the server's clock. */
  at: Date | undefined;
}

/** Returns the body, ETag and time of a successful response. Throws any other response as an `ApiError`. */
export async function responseOf<T>(
  call: Promise<{ data?: T; error?: unknown; response: Response }>,
): Promise<ApiResponse<NonNullable<T>>> {
  const { data, error, response } = await call;
  if (!response.ok) throw errorOf(response, (error ?? {}) as object);
  const date = response.headers.get('date');
  const at = date === null ? undefined : new Date(date);
  if (at) setServerClock(at);
  return {
    body: data as NonNullable<T>,
    etag: response.headers.get('etag') ?? '',
    at,
  };
}
