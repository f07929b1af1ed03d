import { api, responseOf } from '../../shared/api/client.ts';
import { conditionOf, type RubricBody } from './gradingRequests.ts';
import type { ItemId, Regrading, Rubric } from './gradingTypes.ts';
import type {
  Outline,
  OutlineBody,
  OutlineEffect,
  QuestionId,
  QuestionProgress,
  SavedOutline,
} from './questionTypes.ts';

const outlinePath = '/api/v3/grading/{kind}/{item_id}/questions';
const rubricPath = '/api/v3/grading/{kind}/{item_id}/questions/{question_id}/rubric';
const pathOf = ({ kind, itemId }: ItemId) => ({ kind, item_id: itemId });
const aborted = (signal: AbortSignal | undefined) => (signal ? { signal } : {});

export async function readOutline(item: ItemId, signal?: AbortSignal): Promise<SavedOutline> {
  const params = { path: pathOf(item) };
  const { body, etag } = await responseOf(api.GET(outlinePath, { params, ...aborted(signal) }));
  return { outline: body.data, etag };
}

/** Previews how a change to the questions would affect grades. */
export async function previewOutline(item: ItemId, body: OutlineBody, etag: string): Promise<OutlineEffect> {
  const params = { path: pathOf(item), query: { dry_run: '1' as const }, header: { 'If-Match': etag } };
  return (await responseOf(api.PUT(outlinePath, { params, body }))).body.data as OutlineEffect;
}

export async function saveOutline(item: ItemId, body: OutlineBody, etag: string): Promise<SavedOutline> {
  const params = { path: pathOf(item), header: { 'If-Match': etag } };
  const answer = await responseOf(api.PUT(outlinePath, { params, body }));
  return { outline: answer.body.data as Outline, etag: answer.etag };
}

export async function readQuestionProgress(item: ItemId, signal?: AbortSignal): Promise<QuestionProgress[]> {
  const params = { path: pathOf(item) };
  const path = '/api/v3/grading/{kind}/{item_id}/progress';
  return (await responseOf(api.GET(path, { params, ...aborted(signal) }))).body.data;
}

const questionPathOf = (question: QuestionId) => ({ ...pathOf(question), question_id: question.questionId });

export async function readQuestionRubric(
  question: QuestionId,
  signal?: AbortSignal,
): Promise<{ rubric: Rubric; etag: string }> {
  const params = { path: questionPathOf(question) };
  const { body, etag } = await responseOf(api.GET(rubricPath, { params, ...aborted(signal) }));
  return { rubric: body.data as Rubric, etag };
}

/** Previews how a change to the rubric of a question would affect the points of answers. */
export async function previewQuestionRubric(
  question: QuestionId,
  body: RubricBody,
  etag: string | null,
): Promise<Regrading> {
  const query = { dry_run: '1' as const };
  const params = { path: questionPathOf(question), query, header: conditionOf(etag) };
  return (await responseOf(api.PUT(rubricPath, { params, body }))).body.data as Regrading;
}

export async function saveQuestionRubric(
  question: QuestionId,
  body: RubricBody,
  etag: string | null,
): Promise<{ rubric: Rubric; etag: string }> {
  const params = { path: questionPathOf(question), header: conditionOf(etag) };
  const answer = await responseOf(api.PUT(rubricPath, { params, body }));
  return { rubric: answer.body.data as Rubric, etag: answer.etag };
}
