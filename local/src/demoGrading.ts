import { randomUUID } from 'node:crypto';
import type { ApiClient } from './apiClient.ts';

const rubric = {
  mode: 'subtract',
  max_points: 10,
  items: [
    { points: 1, text: 'The operation is not shown to be associative.', key: '1' },
    { points: 3, text: 'The example is no group.', key: '2' },
  ],
};

interface NextSubmission {
  id: number;
  files: { id: number }[];
}

/** Makes a rubric for a quiz, and grades the first submission of its queue by it, with a comment and marks. */
export async function gradeFirst(instructor: ApiClient, quizId: number): Promise<void> {
  const quiz = `/api/v3/grading/quizzes/${quizId}`;
  type Rubric = { data: { revision: number; items: { id: number }[] } };
  const first = { 'if-none-match': '*' };
  const { data: made } = await instructor.call<Rubric>('PUT', `${quiz}/rubric`, rubric, first);
  const [item] = made.items;
  const { data: next } = await instructor.call<{ data: NextSubmission }>('POST', `${quiz}/next`);
  const file_id = next.files[0]?.id;
  const mark = (fields: object) => ({ id: randomUUID(), file_id, page: 1, ...fields });
  const grading = {
    selection: [item?.id],
    rubric_revision: made.revision,
    comment: 'Nearly everything is there.',
    annotations: [
      mark({ kind: 'text', rect: [320, 700, 180, 20], text: 'And associative?', item_id: item?.id }),
      mark({ kind: 'check', rect: [320, 660, 20, 20], color: '#007700' }),
    ],
  };
  await instructor.call('PUT', `/api/v3/grading/quizzes/submissions/${next.id}`, grading, {
    'if-match': '*',
  });
}
