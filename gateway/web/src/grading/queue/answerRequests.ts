import type { paths } from '../../../apiTypes/schema.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import type { Answer } from './gradingTypes.ts';

const answerPath = '/api/v3/grading/{kind}/submissions/{id}/questions/{question_id}';

export type AnswerBody = paths[typeof answerPath]['put']['requestBody']['content']['application/json'];

/** The answer of a submission to a question. */
export interface AnswerTarget {
  kind: Kind;
  id: number;
  questionId: number;
}

const pathOf = ({ kind, id, questionId }: AnswerTarget) => ({ kind, id, question_id: questionId });

/** Saves a grading of the version of an answer that `etag` names. Repeating it with the same key saves it only once. */
export async function saveAnswer(
  target: AnswerTarget,
  body: AnswerBody,
  etag: string,
  key: string,
): Promise<Answer> {
  const params = { path: pathOf(target), header: { 'If-Match': etag, 'Idempotency-Key': key } };
  return (await responseOf(api.PUT(answerPath, { params, body }))).body.data;
}

/** Makes the version of an answer that `etag` names ungraded again. */
export async function ungradeAnswer(target: AnswerTarget, etag: string): Promise<void> {
  const params = { path: pathOf(target), header: { 'If-Match': etag } };
  await responseOf(api.DELETE(answerPath, { params }));
}
