import { makePdf } from '@gradeway/local/demoPdf';
import { expect, inject } from 'vitest';
import { checkResponse } from './openApi.ts';

/** An answer, already held against the OpenAPI document. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what a test is about
  body: any;
}

type Fields = Record<string, string | Blob | (string | Blob)[] | undefined>;

/** Somebody who calls the interface: nobody in particular, or the holder of a token. */
export interface Caller {
  token: string | undefined;
  get(path: string, headers?: Record<string, string>): Promise<Answer>;
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  put(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  delete(path: string, headers?: Record<string, string>): Promise<Answer>;
}

export const baseUrl = (): string => inject('system').baseUrl;

/**
 * Sends a request to the system. Every answer, whatever the test goes on to say of it, must be one that the
 * OpenAPI document describes; so a 500 never passes.
 */
export async function send(method: string, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(path.startsWith('http') ? path : baseUrl() + path, {
    redirect: 'manual',
    ...init,
    method,
  });
  const json = response.headers.get('content-type')?.includes('json');
  const body = json ? await response.json() : Buffer.from(await response.arrayBuffer());
  const { status, headers } = response;
  checkResponse({ method, path: new URL(response.url).pathname, status, headers, body });
  expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  // Clients count down by our clock, not by theirs.
  expect(Date.parse(headers.get('date') ?? '')).not.toBeNaN();
  return { status, headers, body };
}

export function callAs(token?: string): Caller {
  const call =
    (method: string) =>
    (path: string, body?: unknown, headers: Record<string, string> = {}) => {
      const form = body instanceof FormData;
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
      const type: Record<string, string> =
        body === undefined || form ? {} : { 'content-type': 'application/json' };
      return send(method, path, {
        headers: { accept: 'application/json', ...type, ...authorization, ...headers },
        ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
      });
    };
  return {
    token,
    get: (path, headers) => call('GET')(path, undefined, headers),
    post: call('POST'),
    put: call('PUT'),
    patch: call('PATCH'),
    delete: (path, headers) => call('DELETE')(path, undefined, headers),
  };
}

/** A multipart form; a field of several values is sent several times, an undefined one not at all. */
export function form(fields: Fields, fileName = 'answers.pdf'): FormData {
  const data = new FormData();
  for (const [name, given] of Object.entries(fields))
    for (const value of [given].flat()) {
      if (value instanceof File) data.append(name, value);
      else if (value instanceof Blob) data.append(name, value, fileName);
      else if (value !== undefined) data.append(name, value);
    }
  return data;
}

/** A real PDF under a name. */
export async function pdf(name = 'answers.pdf', options: Parameters<typeof makePdf>[1] = {}): Promise<File> {
  return new File([new Uint8Array(await makePdf(name, options))], name, { type: 'application/pdf' });
}
