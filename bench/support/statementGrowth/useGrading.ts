import type { HttpClient } from '@gradeway/test/httpClient';

interface Item {
  kind: 'quizzes' | 'homeworks';
  itemId: number;
  courseId: number;
}

/** Sends graders' requests about one item: queue, claims, rubric, statistics. */
export async function useGrading(admin: HttpClient, { kind, itemId, courseId }: Item): Promise<void> {
  const item = `/api/v3/grading/${kind}/${itemId}`;
  for (const query of ['', '?page=3', `?course_id=${courseId}`])
    await admin.get(`/api/v3/grading/${kind}${query}`);
  for (const query of ['', '?status=ungraded', '?status=graded', '?search=last1']) {
    const { body } = await admin.get(`${item}/submissions${query}`);
    if (body.links.next) await admin.get(body.links.next.replace(/^https?:\/\/[^/]+/, ''));
  }
  const { data } = (await admin.post(`${item}/next`, {})).body;
  const submission = `/api/v3/grading/${kind}/submissions/${data.id}`;
  await admin.get(submission);
  await admin.request('DELETE', `${submission}/claim`);
  await admin.request('PUT', `${submission}/claim`);
  for (const path of ['rubric', 'statistics']) await admin.get(`${item}/${path}`);
}
