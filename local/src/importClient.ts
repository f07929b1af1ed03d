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

export interface ImportAnswer {
  id: string;
  state: string;
  token: string | null;
  summary: Record<string, Record<string, number>>;
  ignored: string[];
  rows: ImportRow[];
}

/** An answer that is none of 2xx. The message is for people. */
class Refusal extends Error {}

const followEveryMs = 500;

/** The import interface of an installation, for the holder of an administrator's token. */
export function importClient(baseUrl: string, token: string) {
  const path = `${baseUrl}/api/v3/admin/import`;
  const authorization = `Bearer ${token}`;

  // How far an import is, asked again and again until the work on it is over.
  async function following<T>(
    id: string,
    work: Promise<T>,
    show: (done: number, total: number) => void,
  ): Promise<T> {
    const timer = setInterval(async () => {
      const response = await fetch(`${path}/${id}`, { headers: { authorization } }).catch(() => undefined);
      if (!response?.ok) return;
      const { data } = (await response.json()) as { data: { done: number; total: number } };
      show(data.done, data.total);
    }, followEveryMs);
    return work.finally(() => clearInterval(timer));
  }

  return {
    /** Tries an archive, following the upload and then the reading of it. */
    async dryRun(options: {
      file: string;
      id: string;
      paid: boolean;
      onSent(bytes: number, of: number): void;
      onRead(rows: number, of: number): void;
    }): Promise<ImportAnswer> {
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
      const work = answerOf(
        fetch(`${path}?dry_run=1&id=${id}&paid=${paid ? 1 : 0}`, {
          method: 'POST',
          headers: { authorization, 'content-type': 'application/zip' },
          body: Readable.toWeb(Readable.from(chunks(), { objectMode: false })) as ReadableStream,
          duplex: 'half',
        }),
      );
      return following(id, work, onRead);
    },
    commit(
      { id, token: plan }: { id: string; token: string },
      onWritten: (rows: number, of: number) => void,
    ): Promise<ImportAnswer> {
      const headers = { authorization, 'content-type': 'application/json' };
      const work = answerOf(fetch(path, { method: 'POST', headers, body: JSON.stringify({ token: plan }) }));
      return following(id, work, onWritten);
    },
  };
}

/** Logs in. @throws Error with the installation's own sentence when that is refused */
export async function logIn(baseUrl: string, email: string, password: string): Promise<string> {
  const response = await fetch(`${baseUrl}/api/v3/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ email, password }),
  }).catch((error) => unreachable(baseUrl, error));
  const body = (await response.json()) as { access_token?: string; message?: string };
  if (!body.access_token) throw new Refusal(body.message ?? `the login answered ${response.status}`);
  return body.access_token;
}

async function answerOf(request: Promise<Response>): Promise<ImportAnswer> {
  const response = await request;
  const body = (await response.json()) as {
    data: ImportAnswer;
    message: string;
    errors: Record<string, string[]> | null;
  };
  if (response.ok) return body.data;
  const details = Object.entries(body.errors ?? {}).flatMap(([place, messages]) =>
    messages.map((message) => `\n  ${place}  ${message}`),
  );
  throw new Refusal(`${body.message}${details.join('')}`);
}

function unreachable(baseUrl: string, cause: unknown): never {
  throw new Error(`nothing answers at ${baseUrl}: start it with npm start, or name another with --url`, {
    cause,
  });
}
