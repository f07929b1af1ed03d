import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { unique } from '@gradeway/test/fixtures';
import { type Answer, createHttpClient, type HttpClient } from '@gradeway/test/httpClient';
import { operations } from '@gradeway/test/openApi';
import { beforeAll, describe, expect, inject, test } from 'vitest';
import { createRouteMatcher } from '../../gateway/src/routing/matchRoute.ts';
import { routeTable } from '../../gateway/src/routing/routeTable.ts';
import { newCourse, newStudent } from './fixtures.ts';
import { limitedTo, signedClient } from './limitedClients.ts';
import { type RoleRequest, roleRequests } from './roleRequests.ts';
import { newRoleScene, type RoleScene } from './roleScene.ts';

/*
 * Sends the request of every operation, about the records of one course, with a token that is limited to another course.
 * routeRoles.test.ts verifies that the same requests succeed for administrators.
 */

const { directory, isLocal } = inject('system');
if (!isLocal) console.warn('\n*** BASE_URL: the tests of tokens with a course limit are SKIPPED ***\n');

/** Operations about the caller's own account, session or comment bank, or about a proof that the caller holds. */
const ofCaller = new Set([
  ...[
    'refreshToken',
    'logout',
    'changePassword',
    'reauthenticate',
    'requestTotp',
    'confirmTotp',
    'deleteTotp',
  ],
  ...['readMe', 'listOwnSessions', 'endOwnSession', 'listOwnDevices', 'deleteOwnDevice', 'verifyReceipt'],
  ...['listComments', 'createComment', 'changeComment', 'deleteComment', 'countCommentUse'],
]);

/** Operations of the whole school. */
const ofSchool = new Set([
  ...['createCourse', 'createUser', 'listAuditEntries', 'importArchive', 'readImport'],
  ...['downloadPersonalData', 'erasePerson', 'readErasure'],
  ...[
    'listWebhooks',
    'createWebhook',
    'readWebhook',
    'changeWebhook',
    'deleteWebhook',
    'rotateWebhookSecret',
  ],
  ...['testWebhook', 'replayFailedDeliveries', 'listWebhookDeliveries', 'replayDelivery'],
]);

/** The number of records in each list for a token that is limited to one course without records. */
const listed: Record<string, number> = {
  listUsers: 0,
  searchInstructors: 0,
  listCourses: 1,
  listGradingCourses: 1,
  listHomeworks: 0,
  listQuizzes: 0,
  listGradingItems: 0,
};

/** Operations that name the course in their body. */
const inBody: Record<string, string> = { createQuizAsTeacher: '422 Invalid Data' };

const table = operations.map(({ method, template, operation }) => ({
  id: operation.operationId as string,
  method: method.toUpperCase(),
  template,
  roles: operation['x-roles'] as string[],
  isOfCaller:
    ofCaller.has(operation.operationId) ||
    operation['x-scope'] === null ||
    operation['x-scope'] === 'session',
}));

type Operation = (typeof table)[number];

/** The response of every other operation: the same as for a record that does not exist. */
function expectedSummary({ id, roles, template }: Operation): string {
  if (!roles.includes('admin') || ofSchool.has(id)) return '403 Unauthorized Access';
  if (id in listed) return `${listed[id]} records`;
  const isHomework = /^\/api\/v3\/(admin\/homeworks|assignments)(\/|$)/.test(template);
  return inBody[id] ?? (isHomework ? '404 PDF Homework not found' : '404 Not Found');
}

function summary({ status, body }: Answer): string {
  if (status === 200) return `${body.meta?.total ?? body.total} records`;
  return `${status} ${body?.message}`;
}

describe.skipIf(!isLocal)('a token that is limited to a course', () => {
  let scene: RoleScene;
  let courseId: number;
  let program: HttpClient;
  beforeAll(async () => {
    [scene, courseId] = await Promise.all([newRoleScene(), newCourse()]);
    program = await limitedTo([courseId]);
  });

  const match = createRouteMatcher(routeTable);
  const upstreamOf = (method: string, path: string) => match(method, path).route?.upstream;
  const limitedOperations = table.filter(
    (operation) => !operation.roles.includes('public') && !operation.isOfCaller,
  );

  test.each(limitedOperations)(
    '$method $template gives it no access to another course',
    async (operation) => {
      const entry = roleRequests[operation.id];
      if (!entry) throw new Error(`roleRequests.ts has no request for ${operation.id}`);
      const isStudents = !operation.roles.includes('admin');
      const client = isStudents
        ? await signedClient({ id: scene.student.id, role: 'user' }, [courseId])
        : program;
      const request = await ('request' in entry ? entry.request(scene) : entry.own(scene.student));

      const expected = expectedSummary(operation);
      const atGateway = await send(operation, request, client);
      expect(summary(atGateway)).toBe(expected);
      const atService = await send(operation, request, await serviceOf(operation, request, client));
      expect(summary(atService)).toBe(expected);
      for (const { body } of [atGateway, atService]) expect(JSON.stringify(body)).not.toContain(scene.mark);
    },
  );

  /** A client of the service that has an operation, with the same token. */
  async function serviceOf(operation: Operation, request: RoleRequest, { token }: HttpClient) {
    const upstream = upstreamOf(operation.method, pathOf(operation, request));
    const file = join(directory ?? '', 'run', `${upstream}.json`);
    const { port } = JSON.parse(await readFile(file, 'utf8'));
    return createHttpClient({ baseUrl: `http://127.0.0.1:${port}`, token });
  }

  test('the comments of other courses do not exist for it', async () => {
    const path = '/api/v3/grading/comments';
    const administrator = await newStudent({ role: 'admin' });
    const text = `Comment ${unique()}`;
    const newComment = async (course_id: number | null) =>
      (await administrator.post(path, { text, course_id })).body.data.id as number;
    const [other, own, general] = [
      await newComment(scene.courseId),
      await newComment(courseId),
      await newComment(null),
    ];
    const limited = await signedClient({ id: administrator.id, role: 'admin' }, [courseId]);
    const { body } = await limited.get(`${path}?search=${encodeURIComponent(text)}&per_page=1`);
    expect([body.data[0].id, body.meta.total]).toEqual([general, 2]);
    expect((await limited.get(`${path}?course_id=${scene.courseId}`)).body.data).toEqual([]);
    for (const [id, status] of [
      [other, 404],
      [own, 200],
    ] as const)
      expect((await limited.patch(`${path}/${id}`, { text })).status).toBe(status);
    expect((await limited.post(`${path}/${other}/use`)).status).toBe(404);
    expect((await limited.delete(`${path}/${other}`)).status).toBe(404);
    expect((await limited.post(path, { text, course_id: scene.courseId })).status).toBe(422);
    expect((await limited.post(path, { text, course_id: courseId })).status).toBe(201);
  });
});

function pathOf({ template }: Operation, { ids = [] }: RoleRequest): string {
  const values = [...ids];
  return template.replaceAll(/\{\w+\}/g, () => String(values.shift()));
}

function send(operation: Operation, request: RoleRequest, client: HttpClient): Promise<Answer> {
  const { query = '', body, headers = {} } = request;
  return client.request(operation.method, pathOf(operation, request) + query, {
    body: typeof body === 'function' ? body() : body,
    headers,
  });
}
