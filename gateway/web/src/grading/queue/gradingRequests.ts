import type { paths } from '../../../apiTypes/schema.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import type { Detail, ItemId, Queue, Regrading, Rubric, Sheet, Target } from './gradingTypes.ts';

export type GradingBody =
  paths['/api/v3/grading/{kind}/submissions/{id}']['put']['requestBody']['content']['application/json'];
export type RubricBody =
  paths['/api/v3/grading/{kind}/{item_id}/rubric']['put']['requestBody']['content']['application/json'];

/** A claimed submission. With questions, the claim is for its answer to one of them. */
interface ClaimedSheet extends Sheet {
  questionId: number | undefined;
}

/** Claims the next submission to grade, or the next answer to a question; undefined when none are left. */
export async function claimNext(
  { kind, itemId, questionId }: Queue,
  skip: number[],
): Promise<ClaimedSheet | undefined> {
  const path = '/api/v3/grading/{kind}/{item_id}/next';
  const params = { path: { kind, item_id: itemId } };
  // The most recently skipped submissions would be offered again first.
  const body = {
    skip: skip.slice(-200),
    ...(questionId === undefined ? {} : { question_id: questionId }),
  };
  const call = api.POST(path, { params, body });
  const { response } = await call;
  const answer = await responseOf(call);
  if (response.status === 204) return undefined;
  const { next_question_id, ...detail }: Detail & { next_question_id?: number } = answer.body.data;
  return { detail, etag: answer.etag, questionId: next_question_id };
}

/** Saves a grading of the version that `etag` names. Repeating it with the same key saves it only once. */
export async function saveGrading(
  { kind, id }: { kind: Kind; id: number },
  body: GradingBody,
  etag: string,
  key: string,
): Promise<Sheet> {
  const params = { path: { kind, id }, header: { 'If-Match': etag, 'Idempotency-Key': key } };
  const answer = await responseOf(api.PUT('/api/v3/grading/{kind}/submissions/{id}', { params, body }));
  return { detail: answer.body.data, etag: answer.etag };
}

/** Undoes the grading of the version that `etag` names, and loads the resulting state of the submission. */
export async function undoGrading({ kind, id }: { kind: Kind; id: number }, etag: string): Promise<Sheet> {
  const path = { kind, id };
  const header = { 'If-Match': etag };
  await responseOf(api.DELETE('/api/v3/grading/{kind}/submissions/{id}/grade', { params: { path, header } }));
  return readSheet(kind, id);
}

export async function readSheet(kind: Kind, id: number, signal?: AbortSignal): Promise<Sheet> {
  const params = { path: { kind, id } };
  const call = api.GET('/api/v3/grading/{kind}/submissions/{id}', { params, ...(signal ? { signal } : {}) });
  const { body, etag } = await responseOf(call);
  return { detail: body.data, etag };
}

const claimPath = '/api/v3/grading/{kind}/submissions/{id}/claim';
const answerClaimPath = '/api/v3/grading/{kind}/submissions/{id}/questions/{question_id}/claim';

export async function claim({ kind, id, questionId }: Target, take: boolean): Promise<void> {
  const query = take ? { take: '1' as const } : {};
  if (questionId === undefined)
    await responseOf(api.PUT(claimPath, { params: { path: { kind, id }, query } }));
  else {
    const path = { kind, id, question_id: questionId };
    await responseOf(api.PUT(answerClaimPath, { params: { path, query } }));
  }
}

export async function release({ kind, id, questionId }: Target): Promise<void> {
  if (questionId === undefined) await responseOf(api.DELETE(claimPath, { params: { path: { kind, id } } }));
  else {
    const path = { kind, id, question_id: questionId };
    await responseOf(api.DELETE(answerClaimPath, { params: { path } }));
  }
}

const rubricPath = '/api/v3/grading/{kind}/{item_id}/rubric';
/** An `etag` of null creates the first rubric. */
export const conditionOf = (etag: string | null) =>
  etag === null ? { 'If-None-Match': '*' } : { 'If-Match': etag };

/** Previews how a change to the rubric would affect grades. */
export async function previewRubric(
  { kind, itemId }: ItemId,
  body: RubricBody,
  etag: string | null,
): Promise<Regrading> {
  const params = {
    path: { kind, item_id: itemId },
    query: { dry_run: '1' as const },
    header: conditionOf(etag),
  };
  return (await responseOf(api.PUT(rubricPath, { params, body }))).body.data as Regrading;
}

export async function saveRubric(
  { kind, itemId }: ItemId,
  body: RubricBody,
  etag: string | null,
): Promise<{ rubric: Rubric; etag: string }> {
  const params = { path: { kind, item_id: itemId }, header: conditionOf(etag) };
  const answer = await responseOf(api.PUT(rubricPath, { params, body }));
  return { rubric: answer.body.data as Rubric, etag: answer.etag };
}

export async function deleteRubric({ kind, itemId }: ItemId, etag: string): Promise<void> {
  const params = { path: { kind, item_id: itemId }, header: { 'If-Match': etag } };
  await responseOf(api.DELETE(rubricPath, { params }));
}

export async function addComment(text: string, courseId: number | null): Promise<void> {
  await responseOf(api.POST('/api/v3/grading/comments', { body: { text, course_id: courseId } }));
}

export async function countUse(id: number): Promise<void> {
  await responseOf(api.POST('/api/v3/grading/comments/{id}/use', { params: { path: { id } } }));
}
