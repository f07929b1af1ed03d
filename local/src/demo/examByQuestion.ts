import type { ApiClient } from '../apiClient.ts';
import { makePdf } from '../demoPdf.ts';
import type { Account, Accounts } from './accounts.ts';
import type { Items } from './courses.ts';
import { submissionsOf } from './gradings.ts';
import { daysFromNow, uploadForm } from './uploadForm.ts';

const questions = [
  { label: '1', title: 'The units of Z/12', max_points: 4 },
  { label: '2a', title: 'Lagrange’s theorem', max_points: 3 },
  { label: '2b', title: 'Its converse', max_points: 3 },
  { label: '3', title: 'A field with nine elements', max_points: 6 },
  { label: '4', title: 'The ideals of Q[x]', max_points: 4 },
];

const rubric = {
  mode: 'subtract',
  max_points: 4,
  items: [
    { points: 1, text: 'A unit is missing', key: 'u' },
    { points: 2, text: 'No reason is given', key: 'r' },
  ],
};

// Students by number, with the points of each question; null for an answer that is not graded yet. The first question
// is graded with its rubric, as one group for all students whose answers have all units.
const points: [number: number, others: (number | null)[]][] = [
  [0, [3, 2, 5, 4]],
  [2, [2.5, 3, 6, 3.5]],
  [5, [3, null, 4, null]],
  [8, [1, 3, null, null]],
];
// The student who asks for a review of question 2b.
const asking = 0;

export const examStepCount = points.length + 2;

/** An exam that two graders grade question by question: some answers as a group, one submission complete, and a review. */
export async function examByQuestion(items: Items, accounts: Accounts, onDone: () => void): Promise<void> {
  const [{ client: teacher }, { client: grader }] = accounts.instructors;
  const examId = await createExam(teacher, items);
  const exam = `/api/v3/grading/quizzes/${examId}`;
  type Outline = { data: { questions: { id: number }[] } };
  const ifAny = { 'if-match': '*' };
  const { data: outline } = await teacher.call<Outline>('PUT', `${exam}/questions`, { questions }, ifAny);
  const [first = 0, ...others] = outline.questions.map(({ id }) => id);
  for (const [number] of points) await take(items, examId, accounts.students[number] as Account);
  onDone();

  const submissionOf = await submissionsOf(teacher, `quizzes/${examId}`);
  const idOf = (number: number) => submissionOf(accounts.students[number]) as number;
  await gradeTogether(
    teacher,
    `${exam}/questions/${first}`,
    points.map(([number]) => idOf(number)),
  );
  for (const [number, given] of points) {
    for (const [index, each] of given.entries()) {
      if (each === null) continue;
      // Two graders share the questions.
      const by = index < 2 ? teacher : grader;
      const answer = `/api/v3/grading/quizzes/submissions/${idOf(number)}/questions/${others[index]}`;
      await by.call('PUT', answer, { points: each }, ifAny);
    }
    onDone();
  }
  await (accounts.students[asking] as Account).client.call(
    'POST',
    `/api/v3/quiz/submissions/${idOf(asking)}/reviews`,
    {
      question_id: others[1],
      text: 'The group of rotations of a tetrahedron has order 12, but no subgroup of order 6.',
    },
  );
  onDone();
}

async function createExam(teacher: ApiClient, { algebra }: Items): Promise<number> {
  const content = await makePdf('Exam', { lines: questions.map(({ label, title }) => `${label}. ${title}`) });
  const form = uploadForm('file', [{ name: 'Exam.pdf', content }], {
    course_id: String(algebra),
    title: 'Exam',
    opens_at: daysFromNow(-1),
    closes_at: daysFromNow(1),
    published: '1',
    reviews: JSON.stringify({ until: daysFromNow(14), per_submission: 2 }),
  });
  return teacher.create('/api/v3/grading/quizzes', form);
}

async function take({ algebra }: Items, examId: number, { client, login }: Account): Promise<void> {
  const content = await makePdf('Exam', {
    lines: questions.map(({ label }) => `${label}. See the next page.`),
  });
  const attempt = {
    course_id: String(algebra),
    quiz_id: String(examId),
    duration: '90',
    start_at: daysFromNow(-20 / (24 * 60)),
  };
  const form = uploadForm('file', [{ name: `${login}-exam.pdf`, content }], attempt);
  await client.call('POST', '/api/v3/quiz/submit-pdf', form);
}

async function gradeTogether(teacher: ApiClient, question: string, submission_ids: number[]): Promise<void> {
  type Rubric = { data: { revision: number } };
  const { data: made } = await teacher.call<Rubric>('PUT', `${question}/rubric`, rubric, {
    'if-none-match': '*',
  });
  const id = await teacher.create(`${question}/groups`, { title: 'All four units', submission_ids });
  const grading = { selection: [], rubric_revision: made.revision };
  await teacher.call('PUT', `${question}/groups/${id}/grading`, grading, { 'if-match': '*' });
}
