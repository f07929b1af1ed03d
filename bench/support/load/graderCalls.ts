import type { Figures } from '../measuring/measure.ts';
import { median } from '../measuring/statistics.ts';

interface Answer {
  status: number;
  etag: string;
  // biome-ignore lint/suspicious/noExplicitAny: responses of different shapes
  body: any;
}

/** Sends a grader's request to a path of the quizzes. */
export type Call = (
  method: string,
  path: string,
  body?: object,
  headers?: Record<string, string>,
) => Promise<Answer>;

export const createCall =
  (origin: string, token: string): Call =>
  async (method, path, body, headers = {}) => {
    const answer = await fetch(`${origin}/api/v3/grading/quizzes/${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...headers },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`);
    return { status: answer.status, etag: answer.headers.get('etag') ?? '', body: text && JSON.parse(text) };
  };

/** A grader's request to a queue. `prepare` runs after it and is not measured. */
export interface Work<Size> {
  key: string;
  name: string;
  request(call: Call, size: Size, index: number): Promise<Answer>;
  prepare?(call: Call, answer: Answer): Promise<unknown>;
}

/** The cursors of the first pages of a queue. */
export async function cursorsOf(call: Call, path: string, pages: number): Promise<string[]> {
  const cursors: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null && cursors.length < pages) {
    const { body }: Answer = await call('GET', `${path}${cursor && `&cursor=${cursor}`}`);
    cursor = body.links.next && new URL(body.links.next).searchParams.get('cursor');
    if (cursor) cursors.push(cursor);
  }
  return cursors;
}

export async function timesOfWork<Size>(
  { request, prepare }: Work<Size>,
  call: Call,
  size: Size,
  requests: number,
): Promise<Figures> {
  const times: number[] = [];
  for (let index = 0; index < requests; index += 1) {
    const startedAt = performance.now();
    const answer = await request(call, size, index);
    times.push(performance.now() - startedAt);
    await prepare?.(call, answer);
  }
  return { ms: median(times) };
}
