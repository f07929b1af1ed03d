import type { Answer } from '@gradeway/test/httpClient';
import { waitFor } from '@gradeway/test/waitFor';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type HomeworkService, type Scene, startHomeworkService } from './homeworkService.ts';

let homework: HomeworkService;
let scene: Scene;
let storedFiles: number;
beforeAll(async () => {
  homework = await startHomeworkService();
  scene = await homework.setUp();
  storedFiles = await homework.storedFiles();
  await homework.peers.stopCourses();
});
afterAll(() => homework.close());

function expectUnavailable(answer: Answer): void {
  expect(answer.status).toBe(503);
  expect(answer.headers.get('retry-after')).toBeTruthy();
  expect(answer.body).toEqual({ message: 'Service Unavailable', errors: null });
}

describe('while courses is unreachable', () => {
  test('an assignment returns 503 while courses is unreachable, and nothing is stored', async () => {
    const { classId } = homework.setUpClass();
    expectUnavailable(await homework.put(classId, { file: homework.pdf }));
    await waitFor(async () => (await homework.storedFiles()) === storedFiles);
  });

  test('an upload returns 503 while courses is unreachable, and nothing is stored', async () => {
    expectUnavailable(await homework.submit(scene.classId, scene.student));
    await waitFor(async () => (await homework.storedFiles()) === storedFiles);
    expect(await homework.rows('SELECT id FROM homework.submissions')).toEqual([]);
  });

  test('the list of a student returns 503 while courses is unreachable, and administrators can still read', async () => {
    expectUnavailable(await homework.get('/api/v3/homeworks', scene.student.token));
    const path = `/api/v3/admin/homeworks/${scene.classId}`;
    expect((await homework.get(path, homework.admin)).status).toBe(200);
  });
});
