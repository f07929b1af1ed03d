import { randomUUID } from 'node:crypto';
import type { ApiClient } from '../apiClient.ts';
import type { Account, Accounts } from './accounts.ts';
import type { Items } from './courses.ts';

const rubric = {
  mode: 'subtract',
  max_points: 10,
  items: [
    {
      points: 1,
      text: 'Associativity is missing',
      explanation: 'That (a · b) · c = a · (b · c) for all elements',
      key: 'a',
    },
    { points: 2, text: 'An axiom other than that is missing', key: 'm' },
    { points: 3, text: 'The example is not a group', group: 'Example', key: 'r' },
    { points: 1, text: 'The example is right, but nothing is shown', group: 'Example', key: 's' },
    { points: 2, text: 'A symmetry is missing', key: 'y' },
    { points: 1, text: 'Whether it is abelian is not answered', key: 'b' },
  ],
};

const comments = [
  'Well argued, and easy to read.',
  'Please show each step, even the short ones.',
  'Which of the axioms do you use here?',
  'Compare with the example of the lecture.',
];

// The rubric items (from 0) that apply, by student number.
const gradings = [
  { number: 0, selection: [], comment: comments[0] },
  { number: 1, selection: [0], comment: comments[2] },
  { number: 2, selection: [1, 3], comment: null },
  { number: 3, selection: [3, 4, 5], comment: comments[1] },
  { number: 4, selection: [0, 2, 4, 5], comment: 'Nearly everything is there. What about the turn by 0?' },
  { number: 6, selection: [], comment: null },
];

const ratings = [9, 7, 10, 5, 8, 6];

export const gradingCount = gradings.length + ratings.length;

/** Grades some submissions: part of one quiz with its rubric and annotations, and all of one assignment. */
export async function gradeSome(items: Items, accounts: Accounts, onDone: () => void): Promise<void> {
  const [emmy, david] = accounts.instructors;
  for (const text of comments)
    await emmy.client.call('POST', '/api/v3/grading/comments', { text, course_id: items.algebra });
  await gradeQuiz(items.groups, emmy.client, accounts.students, onDone);
  const submissionOf = await submissionsOf(david.client, `homeworks/${items.maps}`);
  for (const [number, grade] of ratings.entries()) {
    const id = submissionOf(accounts.students[number]);
    const comment = number % 2 === 0 ? comments[number % comments.length] : null;
    await saveGrading(david.client, `homeworks/submissions/${id}`, { grade, comment });
    onDone();
  }
}

async function gradeQuiz(
  quizId: number,
  client: ApiClient,
  students: Account[],
  onDone: () => void,
): Promise<void> {
  type Rubric = { data: { revision: number; items: { id: number }[] } };
  const path = `/api/v3/grading/quizzes/${quizId}/rubric`;
  const { data: made } = await client.call<Rubric>('PUT', path, rubric, { 'if-none-match': '*' });
  const submissionOf = await submissionsOf(client, `quizzes/${quizId}`);
  for (const { number, selection, comment } of gradings) {
    const submission = `quizzes/submissions/${submissionOf(students[number])}`;
    type Detail = { data: { files: { id: number }[] } };
    const { data } = await client.call<Detail>('GET', `/api/v3/grading/${submission}`);
    const itemIds = selection.map((index) => made.items[index]?.id);
    await saveGrading(client, submission, {
      selection: itemIds,
      rubric_revision: made.revision,
      comment,
      annotations: marks(data.files[0]?.id, itemIds[0]),
    });
    onDone();
  }
}

/** Returns a lookup of submissions by student. The list has all of them on its first page. */
export async function submissionsOf(
  client: ApiClient,
  item: string,
): Promise<(student?: Account) => number | undefined> {
  type Rows = { data: { id: number; student: { id: number } }[] };
  const { data } = await client.call<Rows>('GET', `/api/v3/grading/${item}/submissions?per_page=200`);
  return (student) => data.find((row) => row.student.id === student?.id)?.id;
}

const saveGrading = (client: ApiClient, submission: string, grading: object): Promise<unknown> =>
  client.call('PUT', `/api/v3/grading/${submission}`, grading, { 'if-match': '*' });

/**
 * Returns a tick beside each correct answer, and a question where something is missing. Coordinates are in points from
 * the lower left corner.
 */
function marks(file_id: number | undefined, item_id: number | undefined): object[] {
  const mark = (fields: object) => ({ id: randomUUID(), file_id, page: 1, color: '#c2410c', ...fields });
  const tick = (y: number) => mark({ kind: 'check', rect: [30, y, 24, 24], color: '#15803d' });
  if (item_id === undefined) return [tick(734), tick(581)];
  return [
    mark({ kind: 'highlight', rect: [72, 683, 300, 24], color: '#facc15' }),
    mark({ kind: 'text', rect: [300, 655, 200, 18], text: 'And what else must hold?', item_id }),
    tick(581),
  ];
}
