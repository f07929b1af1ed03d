import { describe, expect, test } from 'vitest';
import { createRouteMatcher } from '../src/routing/matchRoute.ts';
import { routeTable } from '../src/routing/routeTable.ts';

const match = createRouteMatcher(routeTable);
const pathOf = (method: string, path: string) => match(method, path).route?.path;

describe('createRouteMatcher', () => {
  test.each(routeTable.map((route) => [route.method, route.path, route]))(
    '%s %s is matched',
    (method, path, route) => {
      expect(match(method, path.replaceAll(/:[a-z_]+/g, '12')).route).toBe(route);
    },
  );

  test('a fixed segment takes precedence over a parameter', () => {
    expect(pathOf('POST', '/api/v3/admin/homeworks/grade/5')).toBe('/api/v3/admin/homeworks/grade/:id');
    expect(pathOf('GET', '/api/v3/quiz/pdf-quizzes/5')).toBe('/api/v3/quiz/pdf-quizzes/:id');
  });

  test('HEAD matches the GET route', () => {
    expect(pathOf('HEAD', '/api/v3/me')).toBe('/api/v3/me');
  });
});

test.each([
  ['/api/v3/quiz/pdf-quizzes-evil'],
  ['/api/v3/quizzes'],
  ['/api/v3/Me'],
  ['/api/v3/me/'],
  ['/api/v3//me'],
  ['/api/v3/%6De'],
  ['/api/v3/quiz/../me'],
  ['/api/v3/admin/users/..'],
  ['/api/v3/admin/users/.'],
  ['/api/v3/admin/users//devices'],
  ['/api/v3'],
  ['/'],
])('%s is an unknown path', (path) => {
  expect(match('GET', path)).toEqual({ allowed: [], open: false });
});

test('an unsupported method of a known path returns the supported methods', () => {
  expect(match('DELETE', '/api/v3/login')).toEqual({ allowed: ['POST'], open: true });
  expect(match('POST', '/api/v3/admin/homeworks/7')).toEqual({
    allowed: ['GET', 'HEAD', 'PUT', 'DELETE'],
    open: false,
  });
});
