import { now } from '@gradeway/test/fixtures';
import type { HttpClient } from '@gradeway/test/httpClient';

/** Sends the requests about courses and their classes, instructors, comments and webhooks. */
export async function useTeaching(
  admin: HttpClient,
  instructor: HttpClient,
  courseId: number,
): Promise<void> {
  const courses = '/api/v3/admin/courses';
  for (const path of ['', '?page=3', '?search=course', `/${courseId}/classes`, `/${courseId}/instructors`])
    await admin.get(`${courses}${path}`);
  await admin.get('/api/v3/grading/courses?page=2');
  for (const path of ['courses', 'comments', 'comments?search=done', `comments?course_id=${courseId}`])
    await instructor.get(`/api/v3/grading/${path}`);
  await useWebhooks(admin);
}

async function useWebhooks(admin: HttpClient): Promise<void> {
  const webhooks = '/api/v3/admin/webhooks';
  await admin.get(webhooks);
  for (const query of ['', '?page=3', '?status=failed', '?status=delivered'])
    await admin.get(`${webhooks}/2/deliveries${query}`);
  await admin.post(`${webhooks}/2/replay`, { since: now() });
}
