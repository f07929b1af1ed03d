import { api, responseOf } from '../../shared/api/client.ts';
import type { Kind } from '../../shared/api/workTypes.ts';
import type { FileEffect } from '../../shared/form/fileImport/FileImportDialog.tsx';
import type { Item, ItemId, Sheet } from './gradingTypes.ts';

const pathOf = ({ kind, itemId }: ItemId) => ({ path: { kind, item_id: itemId } });

export async function publishItem(item: ItemId): Promise<void> {
  const params = pathOf(item);
  await responseOf(api.PATCH('/api/v3/grading/{kind}/{item_id}', { params, body: { published: true } }));
}

/**
 * Changes the settings of the version that `etag` names. Absent fields stay unchanged, empty ones are cleared. The types
 * describe the fields, but the request sends the form itself.
 */
export async function changeItem(item: ItemId, form: FormData, etag: string): Promise<Item> {
  const params = { ...pathOf(item), header: { 'If-Match': etag } };
  const call = api.PATCH('/api/v3/grading/{kind}/{item_id}', { params, body: form as never });
  return (await responseOf(call)).body.data;
}

export async function deleteItem(item: ItemId): Promise<void> {
  await responseOf(api.DELETE('/api/v3/grading/{kind}/{item_id}', { params: pathOf(item) }));
}

type CopyTarget = { course_id: number; title: string } | { class_id: number };

/** Copies an item as a draft, and returns the copy. */
export async function copyItem(item: ItemId, body: CopyTarget): Promise<Item> {
  const call = api.POST('/api/v3/grading/{kind}/{item_id}/copy', {
    params: pathOf(item),
    body: body as never,
  });
  return (await responseOf(call)).body.data as Item;
}

/** Shows the grades to the students. */
export async function releaseGrades(item: ItemId): Promise<void> {
  await responseOf(api.POST('/api/v3/grading/{kind}/{item_id}/release', { params: pathOf(item) }));
}

/** Hides the grades from the students until they are released. */
export async function hideGrades(item: ItemId): Promise<void> {
  await responseOf(api.DELETE('/api/v3/grading/{kind}/{item_id}/release', { params: pathOf(item) }));
}

/** Waives the penalty for late work, or restores it. */
export async function waiveLateness(kind: Kind, id: number, waived: boolean): Promise<Sheet> {
  const params = { path: { kind, id } };
  const path = '/api/v3/grading/{kind}/submissions/{id}/late';
  const { body, etag } = await responseOf(api.PUT(path, { params, body: { waived } }));
  return { detail: body.data, etag };
}

const grades = '/api/v3/grading/{kind}/{item_id}/grades';

/** Returns which grades a file would change. */
export async function checkGrades(item: ItemId, file: FormData): Promise<FileEffect> {
  const params = { ...pathOf(item), query: { dry_run: '1' as const } };
  const { data } = (await responseOf(api.POST(grades, { params, body: file as never }))).body;
  return {
    counts: [
      ['Changes', data.changes],
      ['Unchanged', data.unchanged],
    ],
    errors: data.errors,
    token: data.token ?? undefined,
  };
}

export async function applyGrades(item: ItemId, token: string): Promise<void> {
  await responseOf(api.POST(grades, { params: pathOf(item), body: { token } }));
}
