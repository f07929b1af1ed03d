import { api, responseOf } from '../../shared/api/client.ts';
import type { ItemId } from '../queue/gradingTypes.ts';

export interface AllowanceFields {
  closes_at: string | null;
  extra_minutes: number;
  excused: boolean;
  note: string | null;
}

/** Gives all of the students the same allowance, or changes none of them. */
export async function allow(
  { kind, itemId }: ItemId,
  students: number[],
  fields: AllowanceFields,
): Promise<void> {
  const params = { path: { kind, item_id: itemId } };
  const body = { students: students.map((student_id) => ({ student_id, ...fields })) };
  await responseOf(api.POST('/api/v3/grading/{kind}/{item_id}/allowances', { params, body }));
}

export async function removeAllowance({ kind, itemId }: ItemId, studentId: number): Promise<void> {
  const params = { path: { kind, item_id: itemId, student_id: studentId } };
  await responseOf(api.DELETE('/api/v3/grading/{kind}/{item_id}/allowances/{student_id}', { params }));
}

/**
 * Hands in for a student. Without a file, the submission is graded from paper. The types describe the fields, but the
 * request sends the form itself.
 */
export async function handInFor({ kind, itemId }: ItemId, form: FormData): Promise<void> {
  const params = { path: { kind, item_id: itemId } };
  const path = '/api/v3/grading/{kind}/{item_id}/submissions';
  await responseOf(api.POST(path, { params, body: form as never }));
}
