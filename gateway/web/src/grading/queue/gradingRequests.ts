import type { paths } from '../../../apiTypes/schema.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import type { ItemId, Regrading, Rubric, Sheet } from './gradingTypes.ts';

export type GradingBody =
  paths['/api/v3/grading/{kind}/submissions/{id}']['put']['requestBody']['content']['application/json'];
export type RubricBody =
  paths['/api/v3/grading/{kind}/{item_id}/rubric']['put']['requestBody']['content']['application/json'];

/** Claims the next submission to grade; undefined when none are left. */
export async function claimNext({ kind, itemId }: ItemId, skip: number[]): Promise<Sheet | undefined> {
  const path = '/api/v3/grading/{kind}/{item_id}/next';
  const params = { path: { kind, item_id: itemId } };
  // The most recently skipped submissions would be offered again first.
  const body = { skip: skip.slice(-200) };
  const call = api.POST(path, { params, body });
  const { response } = await call;
  const answer = await responseOf(call);
  return response.status === 204 ? undefined : { detail: answer.body.data, etag: answer.etag };
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

export async function claim(kind: Kind, id: number, take: boolean): Promise<void> {
  const params = { path: { kind, id }, query: take ? { take: '1' as const } : {} };
  await responseOf(api.PUT('/api/v3/grading/{kind}/submissions/{id}/claim', { params }));
}

export async function release(kind: Kind, id: number): Promise<void> {
  await responseOf(
    api.DELETE('/api/v3/grading/{kind}/submissions/{id}/claim', { params: { path: { kind, id } } }),
  );
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

export async function addComment(text: string, courseId: number | null): Promise<void> {
  await responseOf(api.POST('/api/v3/grading/comments', { body: { text, course_id: courseId } }));
}

export async function countUse(id: number): Promise<void> {
  await responseOf(api.POST('/api/v3/grading/comments/{id}/use', { params: { path: { id } } }));
}
