import { createHttpClient } from '@gradeway/test/httpClient';
import { expect, onTestFinished, test } from 'vitest';
import { completeOpenApi } from '../src/openapi/completeOpenApi.ts';
import { deprecated } from '../src/routing/deprecation.ts';
import { type Route, routeTable } from '../src/routing/routeTable.ts';
import { startGateway } from './testGateway.ts';

const route: Route = {
  method: 'GET',
  path: '/api/v3/old/:id',
  upstream: 'courses',
  ...deprecated('2027-01-15', '2027-09-01'),
};

test('every response of a deprecated route has the dates of its deprecation and removal', async () => {
  const gateway = await startGateway({ CORS_ORIGINS: 'https://school.example' }, undefined, [
    ...routeTable,
    route,
  ]);
  onTestFinished(() => gateway.close());
  const admin = createHttpClient({ baseUrl: gateway.url, token: gateway.admin });
  const answers = [
    await admin.get('/api/v3/old/1', { origin: 'https://school.example' }),
    await createHttpClient({ baseUrl: gateway.url }).get('/api/v3/old/1'),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 401]);
  for (const { headers } of answers) {
    expect(headers.get('deprecation')).toBe(`@${Date.UTC(2027, 0, 15) / 1_000}`);
    expect(headers.get('sunset')).toBe('Wed, 01 Sep 2027 23:59:59 GMT');
    expect(headers.get('link')).toContain('rel="deprecation"');
  }
  expect(answers[0]?.headers.get('access-control-expose-headers')).toMatch(/\bDeprecation,Sunset,Link\b/);
  const other = await admin.get('/api/v3/me');
  expect(other.headers.has('deprecation') || other.headers.has('sunset')).toBe(false);
});

test('the document marks the operation of a deprecated route', () => {
  const operation = () => ({ responses: { 200: { headers: {} } } });
  const document = {
    info: { description: '' },
    components: { headers: {} },
    paths: {
      '/api/v3/old/{old_id}': { get: operation(), delete: operation() },
      '/api/v3/old': { get: operation() },
    },
    webhooks: { 'webhook.test.v1': { post: { parameters: [], responses: {} } } },
    'x-unknown-path': {},
    'x-unknown-method': {},
  };
  const { paths } = completeOpenApi(document, [route]);
  expect(paths['/api/v3/old/{old_id}'].get).toMatchObject({ deprecated: true, 'x-sunset': '2027-09-01' });
  expect(paths['/api/v3/old/{old_id}'].delete).not.toHaveProperty('deprecated');
  expect(paths['/api/v3/old'].get).not.toHaveProperty('deprecated');
  const ofBothKinds = { ...document, paths: { '/api/v3/grading/{kind}/{item_id}': { get: operation() } } };
  const quizzes = { ...route, path: '/api/v3/grading/quizzes/:item_id' };
  expect(Object.values<object>(completeOpenApi(ofBothKinds, [quizzes]).paths)).toMatchObject([
    { get: { deprecated: true } },
  ]);
  expect(() => completeOpenApi({ ...document, paths: {} }, [route])).toThrow(
    /does not describe.*\/api\/v3\/old\/:id/,
  );
});

test('a deprecated route works for at least 180 days', () => {
  expect(() => deprecated('2027-01-15', '2027-07-13')).toThrow('must work for 180 days');
  expect(() => deprecated('2027-01-15', '2027-07-14')).not.toThrow();
  expect(() => deprecated('soon', '2027-07-14')).toThrow('must work for 180 days');
});
