import { readFileSync } from 'node:fs';
import type { LocalSystem } from '@gradeway/test/localSystem';
import type { ReceivedSpan } from '@gradeway/test/otlp';
import { serviceOf } from '@gradeway/test/traceReceiver';
import { waitFor } from '@gradeway/test/waitFor';

/** What nobody may find on a span. */
export const personal = {
  email: 'ada.traced@test.example',
  password: 'the password of the traced',
  firstName: 'Adatraced',
  lastName: 'Lovelacetraced',
  title: 'Titletraced',
  comment: 'Commenttraced',
  fileName: 'filetraced.pdf',
};

// Whoever calls may send what they like: none of it becomes part of our traces.
export const forgedTrace = 'feedfeedfeedfeedfeedfeedfeedfeed';
const forged = {
  traceparent: `00-${forgedTrace}-feedfeedfeedfeed-01`,
  tracestate: 'forged=1',
  baggage: 'forged=baggagetraced',
};

export interface Call {
  status: number;
  requestId: string;
  // biome-ignore lint/suspicious/noExplicitAny: what is in it is what a journey is about
  body: any;
}

export interface Person {
  token: string;
  call(method: string, path: string, body?: unknown, file?: string): Promise<Call>;
}

const pdf = new Uint8Array(readFileSync(new URL('../faults/answers.pdf', import.meta.url)));

/** A form, with a PDF in the field that `file` names. */
function formOf(fields: Record<string, unknown>, file: string): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
  form.append(file, new Blob([pdf]), personal.fileName);
  return form;
}

function personOf(baseUrl: string, token = ''): Person {
  return {
    token,
    async call(method, path, fields, file) {
      const body = file ? formOf({ ...(fields as object) }, file) : JSON.stringify(fields);
      const headers: Record<string, string> = { ...forged, authorization: `Bearer ${token}` };
      if (fields && !file) headers['content-type'] = 'application/json';
      const response = await fetch(baseUrl + path, { method, headers, ...(fields ? { body } : {}) });
      const text = await response.text();
      const json = response.headers.get('content-type')?.includes('json');
      const requestId = response.headers.get('x-request-id') ?? '';
      return { status: response.status, requestId, body: json ? JSON.parse(text) : text };
    },
  };
}

async function logIn(baseUrl: string, email: string, password: string): Promise<Person & { login: Call }> {
  const login = await personOf(baseUrl).call('POST', '/api/v3/login', { email, password });
  return { ...personOf(baseUrl, login.body.access_token), login };
}

export interface School {
  admin: Person;
  student: Person & { login: Call };
  courseId: number;
  classId: number;
  quizId: number;
  submitQuiz(): Promise<Call>;
}

/** A course with a class that has an assignment, a quiz, and a student who has paid. */
export async function openSchool({ baseUrl, adminEmail, adminPassword }: LocalSystem): Promise<School> {
  const admin = await logIn(baseUrl, adminEmail, adminPassword);
  const make = async (path: string, body: object, file?: string): Promise<number> =>
    (await admin.call('POST', path, body, file)).body.data.id;
  const { email, password, firstName: first_name, lastName: last_name, title } = personal;
  const studentId = await make('/api/v3/admin/users', {
    first_name,
    last_name,
    email,
    password,
    role: 'user',
  });
  const courseId = await make('/api/v3/admin/courses', { title });
  const place = `/api/v3/admin/courses/${courseId}/students/${studentId}`;
  await waitFor(async () => (await admin.call('PUT', place, { paid: true })).status === 200);
  const classId = await make(`/api/v3/admin/courses/${courseId}/classes`, { title });
  const quizId = await make('/api/v3/quiz/pdf-quizzes', { title, course_id: courseId }, 'file');
  const assignment = await admin.call('PUT', `/api/v3/admin/homeworks/${classId}`, {}, 'file');
  if (assignment.status >= 300) throw new Error(`no assignment: ${JSON.stringify(assignment.body)}`);
  const student = await logIn(baseUrl, email, password);
  return {
    ...{ admin, student, courseId, classId, quizId },
    submitQuiz() {
      const start_at = `${new Date().toISOString().slice(0, 19)}Z`;
      const fields = { course_id: courseId, quiz_id: quizId, duration: 60, start_at };
      return student.call('POST', '/api/v3/quiz/submit-pdf', fields, 'file');
    },
  };
}

/** Every journey of the specification once, each by the request that began it. */
export async function travel(baseUrl: string, school: School) {
  const { admin, student, classId, courseId, quizId } = school;
  const quizUpload = await school.submitQuiz();
  const quizzes = await admin.call('GET', '/api/v3/quiz/pdf-quizzes');
  const [answer] = (await admin.call('GET', `/api/v3/quiz/pdf-quizzes/${quizId}`)).body.data.submissions;
  const grade = { grade: 7, total_grade: 10 };
  const quizGrading = await admin.call('POST', `/api/v3/quiz/pdf-quizzes/grade/${answer.id}`, grade);
  const homeworkUpload = await student.call('POST', `/api/v3/homeworks/${classId}/submissions`, {}, 'files');
  const homeworks = await admin.call('GET', '/api/v3/admin/homeworks');
  const [handedIn] = (await admin.call('GET', `/api/v3/admin/homeworks/${classId}`)).body.submissions;
  const rating = { rating: 9, comment: personal.comment };
  const homeworkGrading = await admin.call('POST', `/api/v3/admin/homeworks/grade/${handedIn.id}`, rating);
  const students = await admin.call(
    'GET',
    `/api/v3/admin/courses/${courseId}/students?search=${personal.lastName}`,
  );
  const { pathname, search } = new URL(answer.pdf_answer_url);
  const file = await personOf(baseUrl).call('GET', pathname + search);
  const unknown = await admin.call('GET', `/api/v3/${personal.email}`);
  await waitFor(async () => (await student.call('GET', '/api/v3/grades')).body.data.length === 2);
  return {
    ...{ login: student.login, quizUpload, quizGrading, quizzes },
    ...{ homeworkUpload, homeworkGrading, homeworks, students, file, unknown },
  };
}

/** The trace of the request that was answered with this id. */
export function traceOf(spans: ReceivedSpan[], { requestId }: Call): ReceivedSpan[] {
  const root = spans.find(
    (span) =>
      span.parentId === undefined &&
      (span.attributes['http.response.header.x-request-id'] as string[] | undefined)?.[0] === requestId,
  );
  return spans.filter(({ traceId }) => traceId === root?.traceId);
}

/** Who called whom: each span with its caller, `gateway client POST /x → quiz server POST /x`. */
export function edgesOf(trace: ReceivedSpan[]): Set<string> {
  const byId = new Map(trace.map((span) => [span.spanId, span]));
  const nameOf = (span: ReceivedSpan | undefined) =>
    span ? `${serviceOf(span)} ${span.kind} ${span.name}` : 'nobody';
  return new Set(
    trace.map((span) => {
      const caller = span.parentId ? (byId.get(span.parentId) ?? { name: 'somebody unknown' }) : undefined;
      return `${nameOf(caller as ReceivedSpan | undefined)} → ${nameOf(span)}`;
    }),
  );
}
