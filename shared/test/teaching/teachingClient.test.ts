import { CoursesService, type CoursesServiceClient } from '@gradeway/proto/courses';
import { type FakePeers, serviceSecret, startFakePeers } from '@gradeway/test/fakePeers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createGrpcClient, type GrpcClient } from '../../src/grpc/client.ts';
import { teachingClient } from '../../src/teaching/teachingClient.ts';

let peers: FakePeers;
let client: GrpcClient<CoursesServiceClient>;
beforeAll(async () => {
  peers = await startFakePeers();
  const options = {
    address: peers.coursesGrpc,
    secret: serviceSecret,
    caller: 'quiz',
    callee: 'courses',
  } as const;
  client = createGrpcClient(CoursesService, options);
});
afterAll(async () => {
  client.close();
  await peers.close();
});

test('an instructor teaches a course from being assigned until being removed', async () => {
  const { roleIn } = teachingClient(client);
  expect(await roleIn(7, 2)).toBeUndefined();
  peers.teaching.add('7/2');
  expect([await roleIn(7, 2), await roleIn(7, 3), await roleIn(8, 2)]).toEqual([
    'teacher',
    undefined,
    undefined,
  ]);
  peers.graders.add('7/2');
  expect(await roleIn(7, 2)).toBe('grader');
  peers.teaching.delete('7/2');
  expect(await roleIn(7, 2)).toBeUndefined();
});

test('all courses of an instructor are listed, however many responses that takes', async () => {
  const { taughtCourses } = teachingClient(client);
  expect(await taughtCourses(9)).toEqual([]);
  for (const key of ['9/12', '9/4', '10/5', '9/7']) peers.teaching.add(key);
  expect(await taughtCourses(9)).toEqual([4, 7, 12]);
});

test('every check results in 503 while courses is unreachable', async () => {
  const own = await startFakePeers();
  const options = {
    address: own.coursesGrpc,
    secret: serviceSecret,
    caller: 'quiz',
    callee: 'courses',
  } as const;
  const lost = createGrpcClient(CoursesService, options);
  try {
    await own.stopCourses();
    const { roleIn, taughtCourses } = teachingClient(lost);
    await expect(roleIn(7, 2)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(taughtCourses(7)).rejects.toMatchObject({ code: 'unavailable' });
  } finally {
    lost.close();
    await own.close();
  }
});
