import { api, responseOf } from '../../shared/api/client.ts';
import type { FileEffect } from '../../shared/form/fileImport/FileImportDialog.tsx';
import type { PickerOption } from '../../shared/form/picker/Picker.tsx';
import type { TeamRole } from './teachingTypes.ts';

// The types describe the fields, but the request sends the form itself.
const asBody = (form: FormData) => form as never;

export async function createQuiz(form: FormData): Promise<void> {
  await responseOf(api.POST('/api/v3/grading/quizzes', { body: asBody(form) }));
}

export async function createClass(courseId: number, title: string): Promise<number> {
  const params = { path: { course_id: courseId } };
  const call = api.POST('/api/v3/grading/courses/{course_id}/classes', { params, body: { title } });
  return (await responseOf(call)).body.data.id;
}

export async function setAssignment(classId: number, form: FormData): Promise<void> {
  const params = { path: { class_id: classId } };
  await responseOf(api.PUT('/api/v3/grading/homeworks/{class_id}', { params, body: asBody(form) }));
}

interface Membership {
  courseId: number;
  userId: number;
}

const team = '/api/v3/grading/courses/{course_id}/instructors/{user_id}';
const pathOf = ({ courseId, userId }: Membership) => ({ path: { course_id: courseId, user_id: userId } });

export async function assign(membership: Membership, role: TeamRole): Promise<void> {
  await responseOf(api.PUT(team, { params: pathOf(membership), body: { role } }));
}

export async function removeFromTeam(membership: Membership): Promise<void> {
  await responseOf(api.DELETE(team, { params: pathOf(membership) }));
}

/**
 * Returns the first instructors of the school whose name or email address contains a text of at least two characters.
 */
export async function findInstructors(search: string, signal: AbortSignal): Promise<PickerOption[]> {
  const params = { query: { search, per_page: 20 } };
  const { data } = (await responseOf(api.GET('/api/v3/grading/instructors', { params, signal }))).body;
  return data.map(({ id, name, email }) => ({ id, name, about: email }));
}

const roster = '/api/v3/grading/courses/{course_id}/roster';

/** Returns what a file of students would change. */
export async function checkRoster(courseId: number, file: FormData): Promise<FileEffect> {
  const params = { path: { course_id: courseId }, query: { dry_run: '1' as const } };
  const { data } = (await responseOf(api.POST(roster, { params, body: asBody(file) }))).body;
  return {
    counts: [
      ['Enrolled', data.enrolled],
      ['Accounts created', data.created],
      ['Unchanged', data.unchanged],
    ],
    errors: data.errors,
    token: data.token ?? undefined,
  };
}

export async function applyRoster(courseId: number, token: string): Promise<void> {
  const params = { path: { course_id: courseId } };
  await responseOf(api.POST(roster, { params, body: { token } }));
}
