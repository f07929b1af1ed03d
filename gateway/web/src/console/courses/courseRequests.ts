import { api, responseOf } from '../../shared/api/client.ts';

interface CourseFields {
  title: string;
  description: string | null;
}

export async function createCourse(body: CourseFields): Promise<number> {
  return (await responseOf(api.POST('/api/v3/admin/courses', { body }))).body.data.id;
}

export async function changeCourse(id: number, body: CourseFields): Promise<void> {
  await responseOf(
    api.PATCH('/api/v3/admin/courses/{course_id}', { params: { path: { course_id: id } }, body }),
  );
}

export async function deleteCourse(id: number): Promise<void> {
  await responseOf(api.DELETE('/api/v3/admin/courses/{course_id}', { params: { path: { course_id: id } } }));
}

export async function createClass(courseId: number, title: string): Promise<void> {
  const params = { path: { course_id: courseId } };
  await responseOf(api.POST('/api/v3/admin/courses/{course_id}/classes', { params, body: { title } }));
}

export async function changeClass(id: number, title: string): Promise<void> {
  const params = { path: { class_id: id } };
  await responseOf(api.PATCH('/api/v3/admin/classes/{class_id}', { params, body: { title } }));
}

export async function deleteClass(id: number): Promise<void> {
  await responseOf(api.DELETE('/api/v3/admin/classes/{class_id}', { params: { path: { class_id: id } } }));
}

// The types describe the fields, but the request sends the form itself.
const asBody = (form: FormData) => form as never;

export async function createQuiz(form: FormData): Promise<void> {
  await responseOf(api.POST('/api/v3/quiz/pdf-quizzes', { body: asBody(form) }));
}

export async function changeQuiz(id: number, form: FormData): Promise<void> {
  await responseOf(
    api.PATCH('/api/v3/quiz/pdf-quizzes/{id}', { params: { path: { id } }, body: asBody(form) }),
  );
}

export async function deleteQuiz(id: number): Promise<void> {
  await responseOf(api.DELETE('/api/v3/quiz/pdf-quizzes/{id}', { params: { path: { id } } }));
}

export async function setAssignment(classId: number, form: FormData): Promise<void> {
  const params = { path: { id: classId } };
  await responseOf(api.PUT('/api/v3/admin/homeworks/{id}', { params, body: asBody(form) }));
}

export async function removeAssignment(classId: number): Promise<void> {
  await responseOf(api.DELETE('/api/v3/admin/homeworks/{id}', { params: { path: { id: classId } } }));
}

interface Membership {
  courseId: number;
  userId: number;
}

const pathOf = ({ courseId, userId }: Membership) => ({ path: { course_id: courseId, user_id: userId } });

export async function enroll(membership: Membership, paid: boolean): Promise<void> {
  const params = pathOf(membership);
  await responseOf(
    api.PUT('/api/v3/admin/courses/{course_id}/students/{user_id}', { params, body: { paid } }),
  );
}

export async function endEnrollment(membership: Membership): Promise<void> {
  const params = pathOf(membership);
  await responseOf(api.DELETE('/api/v3/admin/courses/{course_id}/students/{user_id}', { params }));
}

export async function assignInstructor(membership: Membership): Promise<void> {
  const params = pathOf(membership);
  await responseOf(api.PUT('/api/v3/admin/courses/{course_id}/instructors/{user_id}', { params }));
}

export async function removeInstructor(membership: Membership): Promise<void> {
  const params = pathOf(membership);
  await responseOf(api.DELETE('/api/v3/admin/courses/{course_id}/instructors/{user_id}', { params }));
}
