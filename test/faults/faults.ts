import { readFileSync } from 'node:fs';
import type { LocalSystem } from '@gradeway/test/localSystem';
import { waitFor } from '@gradeway/test/waitFor';

export interface Client {
  token: string;
  call(
    method: string,
    path: string,
    body?: unknown,
  ): Promise<{ status: number; body: Json; headers: Headers; ms: number }>;
}

// biome-ignore lint/suspicious/noExplicitAny: what is in it is what a test is about
type Json = any;

/** Calls a system whose answers may be those of a fault; nothing here expects success. */
export function clientOf(baseUrl: string, token = ''): Client {
  return {
    token,
    async call(method, path, body) {
      const startedAt = performance.now();
      const form = body instanceof FormData;
      const response = await fetch(baseUrl + path, {
        method,
        headers: {
          ...(token ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined || form ? {} : { 'content-type': 'application/json' }),
        },
        ...(body === undefined ? {} : { body: form ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      const ms = performance.now() - startedAt;
      return { status: response.status, body: text && JSON.parse(text), headers: response.headers, ms };
    },
  };
}

export async function logInto(baseUrl: string, email: string, password: string): Promise<Client> {
  const { body } = await clientOf(baseUrl).call('POST', '/api/v3/login', { email, password });
  return clientOf(baseUrl, body.access_token);
}

export interface FaultScene {
  admin: Client;
  student: Client;
  studentId: number;
  courseId: number;
  quizId: number;
  upload(): Promise<{ status: number; body: Json; headers: Headers; ms: number }>;
  submissions(): Promise<Json[]>;
}

const pdf = readFileSync(new URL('./answers.pdf', import.meta.url));

/** A course with a quiz, and a student who is enrolled and has paid. */
export async function sceneIn(baseUrl: string, email: string, password: string): Promise<FaultScene> {
  const admin = await logInto(baseUrl, email, password);
  const make = async (path: string, body: unknown) =>
    (await admin.call('POST', path, body)).body.data.id as number;
  const address = `student-${Date.now()}@test.example`;
  const person = {
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: address,
    password: 'password',
    role: 'user',
  };
  const studentId = await make('/api/v3/admin/users', person);
  const courseId = await make('/api/v3/admin/courses', { title: 'Faults' });
  const enrollment = `/api/v3/admin/courses/${courseId}/students/${studentId}`;
  await waitFor(async () => (await admin.call('PUT', enrollment, { paid: true })).status === 200);
  const quizId = await make(
    '/api/v3/quiz/pdf-quizzes',
    formOf({ title: 'Quiz', course_id: String(courseId) }),
  );
  const student = await logInto(baseUrl, address, 'password');
  return {
    ...{ admin, student, studentId, courseId, quizId },
    upload() {
      const start_at = `${new Date().toISOString().slice(0, 19)}Z`;
      const fields = { course_id: String(courseId), quiz_id: String(quizId), duration: '60', start_at };
      return student.call('POST', '/api/v3/quiz/submit-pdf', formOf(fields, pdf));
    },
    submissions: async () =>
      (await admin.call('GET', `/api/v3/quiz/pdf-quizzes/${quizId}`)).body.data.submissions,
  };
}

/** How long it takes until the gateway and every service by itself refuse a token that each took until `end`. */
export async function timeUntilRefused(system: LocalSystem, token: string, end: () => Promise<unknown>) {
  const places = [
    ['gateway', '/api/v3/me'],
    ['auth', '/api/v3/me'],
    ['courses', '/api/v3/grades'],
    ['homework', '/api/v3/homeworks'],
    ['quiz', '/api/v3/quiz/available'],
  ] as const;
  const ask = await Promise.all(
    places.map(async ([name, path]) => {
      const client = clientOf(`http://127.0.0.1:${(await system.process(name)).port}`, token);
      return { name, status: async () => (await client.call('GET', path)).status };
    }),
  );
  for (const { name, status } of ask)
    if ((await status()) !== 200) throw new Error(`${name} does not take the token`);
  await end();
  const endedAt = performance.now();
  const times = ask.map(async ({ name, status }) => {
    await waitFor(async () => (await status()) === 401);
    return [name, performance.now() - endedAt] as const;
  });
  return Object.fromEntries(await Promise.all(times));
}

function formOf(fields: Record<string, string>, file?: Buffer): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append('file', new Blob([new Uint8Array(file)]), 'answers.pdf');
  return form;
}
