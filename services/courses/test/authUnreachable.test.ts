import { waitFor } from '@gradeway/test/waitFor';
import { expect, test } from 'vitest';
import { quizGraded, startCoursesService } from './coursesService.ts';

test('without auth, enrolling is 503 and stores nothing, while everything else keeps working', async () => {
  const courses = await startCoursesService();
  try {
    const courseId = await courses.createCourse();
    const student = await courses.createStudent(courseId);
    const other = courses.createAccount();
    await courses.peers.close();

    const path = `/api/v3/admin/courses/${courseId}/students`;
    const refused = await courses.request('PUT', `${path}/${other.id}`, courses.admin, { paid: true });
    expect(refused).toMatchObject({ status: 503, body: { message: 'Service Unavailable', errors: null } });
    expect(refused.headers.get('retry-after')).toBeTruthy();
    expect(await courses.outboxEvents('enrollment.%', { user_id: other.id })).toEqual([]);

    expect((await courses.get(path)).body).toMatchObject({ data: [{ id: student.id }] });
    expect((await courses.get('/api/v3/courses', student.token)).status).toBe(200);
    const graded = { course_id: courseId, student_id: 5_000, submission_id: 1 };
    await courses.sendEvent('quiz.submission.graded.v1', quizGraded(graded));
    const gradebook = `/api/v3/admin/courses/${courseId}/gradebook`;
    await waitFor(async () => (await courses.get<{ data: unknown[] }>(gradebook)).body.data.length === 2);
    expect((await courses.request('DELETE', `${path}/${student.id}`)).status).toBe(204);
  } finally {
    await courses.close();
  }
});
