import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Readable } from 'node:stream';

export interface ImportRow {
  file: string;
  line: number;
  sourced_id: string;
  action: 'create' | 'update' | 'delete' | 'unchanged' | 'ignored' | 'error';
  changes: Record<string, [unknown, unknown]>;
  messages: string[];
}

export interface ImportReport {
  id: string;
  state: string;
  token: string | null;
  summary: Record<string, Record<string, number>>;
  ignored: string[];
  rows: ImportRow[];
}

/** A response with an error status. The message is the installation's. */
class RequestRefused extends Error {}

const progressIntervalMs = 500;

/** An import API client with an administrator's token. */
export function importClient(baseUrl: string, token: string) {
  const path = `${baseUrl}/api/v3/admin/import`;
  const authorization = `Bearer ${token}`;

  // Polls the progress of an import until the request that runs it completes.
  async function withProgress<T>(
    id: string,
    request: Promise<T>,
    show: (done: number, total: number) => void,
  ): Promise<T> {
    const timer = setInterval(async () => {
      const response = await fetch(`${path}/${id}`, { headers: { authorization } }).catch(() => undefined);
      if (!response?.ok) return;
      const { data } = (await response.json()) as { data: { done: number; total: number } };
      show(data.done, data.total);
    }, progressIntervalMs);
    return request.finally(() => clearInterval(timer));
  }

  return {
    /** Performs a dry run. Reports the progress of the upload, then of reading the archive. */
    async dryRun(options: {
      file: string;
      id: string;
      paid: boolean;
      onSent(bytes: number, total: number): void;
      onRead(rows: number, total: number): void;
    }): Promise<ImportReport> {
      const { file, id, paid, onSent, onRead } = options;
      const { size } = await stat(file);
      async function* chunks() {
        let sent = 0;
        for await (const chunk of createReadStream(file)) {
          yield chunk;
          sent += chunk.length;
          onSent(sent, size);
        }
      }
      const request = reportOf(
        fetch(`${path}?dry_run=1&id=${id}&paid=${paid ? 1 : 0}`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/zip' },
          body: Readable.toWeb(Readable.from(chunks(), { objectMode: false })) as ReadableStream,
          duplex: 'half',
        }),
      );
      return withProgress(id, request, onRead);
    },
    commit(
      { id, token: plan }: { id: string; token: string },
      onWritten: (rows: number, total: number) => void,
    ): Promise<ImportReport> {
      const headers = { authorization, 'content-type': 'application/json' };
      const request = reportOf(
        fetch(path, { method: 'POST', headers, body: JSON.stringify({ token: plan }) }),
      );
      return withProgress(id, request, onWritten);
    },
  };
}

/**
 * Logs in and re-authenticates, which an installation may require (`REAUTHENTICATION`). Returns the access token.
 * @throws Error with the installation's message if the login is refused
 */
export async function logIn(baseUrl: string, email: string, password: string): Promise<string> {
  const post = (path: string, body: object, headers = {}) =>
    fetch(`${baseUrl}/api/v3/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    }).catch((error) => failUnreachable(baseUrl, error));
  const response = await post('login', { email, password });
  const body = (await response.json()) as { access_token?: string; message?: string };
  if (!body.access_token)
    throw new RequestRefused(body.message ?? `the login failed with status ${response.status}`);
  await post('reauthenticate', { password }, { authorization: `Bearer ${body.access_token}` });
  return body.access_token;
}

async function reportOf(request: Promise<Response>): Promise<ImportReport> {
  const response = await request;
  const body = (await response.json()) as {
    data: ImportReport;
    message: string;
    errors: Record<string, string[]> | null;
  };
  if (response.ok) return body.data;
  const details = Object.entries(body.errors ?? {}).flatMap(([field, messages]) =>
    messages.map((message) => `\n  ${field}  ${message}`),
  );
  throw new RequestRefused(`${body.message}${details.join('')}`);
}

function failUnreachable(baseUrl: string, cause: unknown): never {
  throw new Error(
    `${baseUrl} is unreachable: start Gradeway with npm start, or give another URL with --url`,
    {
      cause,
    },
  );
}
