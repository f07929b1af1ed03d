import { expect } from 'vitest';
import type { ClientHost } from './clientHost.ts';
import type { journeyScene } from './journeyScene.ts';

type Scene = Awaited<ReturnType<typeof journeyScene>>;

interface Upload {
  answer: unknown;
  progress: { loaded: number; total: number }[];
}

/** What journey.js returns. */
interface Journey {
  uploads: Upload;
  lists: Record<string, number[]>;
  [name: string]: unknown;
}

/** Asserts what an integrator sees, in Node.js and in browsers alike. */
export function expectJourney(journey: Journey, scene: Scene, host: ClientHost, adminEmail: string): void {
  const { uploads, lists, ...others } = journey;
  expect(uploads.answer).toEqual({ status: true, message: 'Submitted successfully' });
  const last = uploads.progress.at(-1);
  expect([last?.loaded, uploads.progress.every(({ loaded, total }) => loaded <= total)]).toEqual([
    last?.total,
    true,
  ]);
  // The first response was lost with the connection.
  const keys = host.requests.filter(({ path }) => path === '/api/v3/quiz/submit-pdf').map(({ key }) => key);
  expect(keys).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), keys[0]]);

  const sorted = Object.entries(lists).map(([name, ids]) => [
    name,
    ids.toSorted((one, other) => one - other),
  ]);
  expect(Object.fromEntries(sorted)).toEqual(scene.lists);

  const requestId = expect.stringMatching(/^[0-9a-f-]{36}$/);
  const code = expect.stringMatching(/^[a-z][a-z0-9_]*$/);
  const refused = { name: 'GradewayError', code, fields: {}, requestId };
  expect(others).toEqual({
    me: adminEmail,
    graded: { grade: 7, hasTag: true },
    deleted: 'nothing',
    csv: expect.any(Number),
    start: '%PDF-',
    busy: adminEmail,
    isError: true,
    errors: {
      missing: { ...refused, status: 404, message: 'Not Found' },
      invalid: {
        ...refused,
        status: 422,
        message: 'Invalid Data',
        fields: { title: ['The title field is required.'] },
      },
      stale: { ...refused, status: 412, message: 'Changed meanwhile' },
      forbidden: { ...refused, status: 401, message: 'UnauthorizedRequest' },
      mistyped: {
        name: 'TypeError',
        message: 'GET /api/v3/admin/courses/{course_id} has no parameter corse.',
      },
      aborted: expect.objectContaining({ name: 'AbortError' }),
      late: {
        name: 'GradewayError',
        status: 0,
        code: 'timeout',
        fields: {},
        message: `${host.url} did not answer in time.`,
      },
    },
  });
}
