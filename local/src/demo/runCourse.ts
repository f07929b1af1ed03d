import type { ApiClient } from '../apiClient.ts';
import { makePdf } from '../demoPdf.ts';
import type { Account, Accounts } from './accounts.ts';
import type { Items } from './courses.ts';
import { submissionsOf } from './gradings.ts';
import { daysFromNow, uploadForm } from './uploadForm.ts';

const fieldQuestions = [
  '1. What is the characteristic of a field?',
  '2. Find all subfields of the field with 64 elements.',
];

// Grades by student number; null for an ungraded submission.
const heldBack: [number: number, grade: number | null][] = [
  [1, 9],
  [4, 6.5],
  [7, 8],
  [9, null],
];
const [extended, late] = [3, 7];

export const stepCount = heldBack.length + 4;

/**
 * Runs the course as its teacher does: a draft, a quiz whose grades are held back, more time for one student, and homework
 * that is accepted late. Runs after the deadline of the homework.
 */
export async function runCourse(items: Items, accounts: Accounts, onDone: () => void): Promise<void> {
  const [{ client: teacher }] = accounts.instructors;
  await createDraft(teacher, items);
  onDone();
  const fields = await createHeldBackQuiz(teacher, items);
  onDone();
  for (const [number, grade] of heldBack) {
    await takeQuiz(items, fields, studentOf(accounts, number));
    if (grade !== null) await gradeQuiz(teacher, fields, studentOf(accounts, number), grade);
    onDone();
  }
  await teacher.call('PUT', allowancePath(`quizzes/${items.rings}`, studentOf(accounts, extended)), {
    closes_at: daysFromNow(37),
    extra_minutes: 15,
    note: 'Was ill in the week of the quiz',
  });
  onDone();
  await acceptLateWork(teacher, items);
  await handInLate(items, studentOf(accounts, late));
  onDone();
}

const studentOf = ({ students }: Accounts, number: number): Account => students[number] as Account;

const allowancePath = (item: string, { id }: Account) => `/api/v3/grading/${item}/allowances/${id}`;

async function createDraft(teacher: ApiClient, { algebra }: Items): Promise<void> {
  const quiz = { course_id: algebra, title: 'Modules', closes_at: daysFromNow(60), total_grade: 10 };
  await teacher.call('POST', '/api/v3/grading/quizzes', quiz);
}

async function createHeldBackQuiz(teacher: ApiClient, { algebra }: Items): Promise<number> {
  const content = await makePdf('Fields', { lines: fieldQuestions });
  const form = uploadForm('file', [{ name: 'Fields.pdf', content }], {
    course_id: String(algebra),
    title: 'Fields',
    opens_at: daysFromNow(-2),
    closes_at: daysFromNow(5),
    total_grade: '10',
    release: 'manual',
    published: '1',
  });
  return teacher.create('/api/v3/grading/quizzes', form);
}

async function takeQuiz({ algebra }: Items, quizId: number, { client, login }: Account): Promise<void> {
  const content = await makePdf('Fields', {
    lines: ['1. The order of 1 in the additive group.', '2. F2, F4, F8, F64.'],
  });
  const attempt = {
    course_id: String(algebra),
    quiz_id: String(quizId),
    duration: '45',
    start_at: daysFromNow(-20 / (24 * 60)),
  };
  await client.call(
    'POST',
    '/api/v3/quiz/submit-pdf',
    uploadForm('file', [{ name: `${login}-fields.pdf`, content }], attempt),
  );
}

async function gradeQuiz(teacher: ApiClient, quizId: number, student: Account, grade: number): Promise<void> {
  const id = (await submissionsOf(teacher, `quizzes/${quizId}`))(student);
  await teacher.call('PUT', `/api/v3/grading/quizzes/submissions/${id}`, { grade }, { 'if-match': '*' });
}

async function acceptLateWork(teacher: ApiClient, { maps }: Items): Promise<void> {
  const late = { until: daysFromNow(7), penalty_percent: 10, per: 'day', floor_percent: 50 };
  await teacher.call('PATCH', `/api/v3/grading/homeworks/${maps}`, { late });
}

async function handInLate({ maps }: Items, { client, login }: Account): Promise<void> {
  const content = await makePdf('Sets and maps', {
    lines: ['If g(f(x)) = x for all x, then f(x) = f(y) implies x = y.'],
  });
  const form = uploadForm('files', [{ name: `${login}-maps.pdf`, content }]);
  await client.call('POST', `/api/v3/homeworks/${maps}/submissions`, form);
}
