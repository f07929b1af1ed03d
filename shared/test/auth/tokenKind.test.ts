import { expect, test } from 'vitest';
import { requireScope, scopeOf } from '../../src/auth/requireScope.ts';
import { isScope, type Scope, scopes } from '../../src/auth/scopes.ts';
import { readTokenKind } from '../../src/auth/tokenKind.ts';

const program = { token_kind: 'service', scope: 'grades:read work:read' };

test('the claims of a session allow everything that its role does', () => {
  expect(readTokenKind({ sid: 7 })).toEqual({
    kind: 'session',
    sessionId: 7,
    scopes: null,
    courseIds: null,
  });
});

test.each(['personal', 'service'])('the claims of a %s token limit it', (kind) => {
  expect(readTokenKind({ ...program, token_kind: kind, course_ids: [3, 4] })).toEqual({
    kind,
    sessionId: null,
    scopes: new Set(['grades:read', 'work:read']),
    courseIds: new Set([3, 4]),
  });
  expect(readTokenKind({ ...program, token_kind: kind }).courseIds).toBeNull();
});

test.each<[string, Record<string, unknown>]>([
  ['without a session and a kind', {}],
  ['of an unknown kind', { ...program, token_kind: 'root' }],
  ['with a kind that is null', { ...program, token_kind: null }],
  ['for programs with a session', { ...program, sid: 7 }],
  ['for programs without scopes', { token_kind: 'personal' }],
  ['for programs with an empty scope', { ...program, scope: '' }],
  ['with scopes that are a list', { ...program, scope: ['grades:read'] }],
  ['with an unknown scope', { ...program, scope: 'grades:read everything' }],
  ['with two spaces between scopes', { ...program, scope: 'grades:read  work:read' }],
  ['of a session with scopes', { sid: 7, scope: 'grades:read' }],
  ['of a session with courses', { sid: 7, course_ids: [3] }],
  ['with no course', { ...program, course_ids: [] }],
  ['with courses that are null', { ...program, course_ids: null }],
  ['with courses that are a text', { ...program, course_ids: '3' }],
  ['with a course that is a text', { ...program, course_ids: ['3'] }],
  ['with a course that is 0', { ...program, course_ids: [0] }],
  ['with too many courses', { ...program, course_ids: Array.from({ length: 101 }, (_, id) => id + 1) }],
])('a token %s is rejected', (_, claims) => {
  expect(() => readTokenKind(claims)).toThrow();
});

const withScopes = (...allowed: Scope[]) => ({ scopes: new Set(allowed) });
const grade = ['POST', '/api/v3/quiz/pdf-quizzes/grade/:grade_id'] as const;

test('a token for programs needs the scope of the operation, and a session needs no scope', () => {
  expect(() => requireScope({ scopes: null }, ...grade)).not.toThrow();
  expect(() => requireScope(withScopes('grades:write'), ...grade)).not.toThrow();
  expect(() =>
    requireScope(withScopes(...scopes.filter((scope) => scope !== 'grades:write')), ...grade),
  ).toThrow(
    expect.objectContaining({
      code: 'forbidden',
      message: 'Unauthorized Access',
      fields: { scope: ['This token lacks the scope grades:write.'] },
    }),
  );
});

test('homework paths of the specification refuse a token without the scope as they refuse a wrong role (D36)', () => {
  const refused = () => requireScope(withScopes('grades:read'), 'POST', '/api/v3/admin/homeworks/grade/:id');
  expect(refused).toThrow(
    expect.objectContaining({
      code: 'unauthenticated',
      message: 'UnauthorizedRequest',
      fields: { scope: ['This token lacks the scope grades:write.'] },
    }),
  );
});

test.each([
  ['an operation on credentials', 'PUT', '/api/v3/password'],
  ['an unknown operation', 'GET', '/api/v3/unknown'],
  ['an unknown method', 'PURGE', '/api/v3/admin/courses'],
  ['a guard without a route', 'GET', ''],
])('%s refuses a token with all scopes', (_, method, template) => {
  expect(() => requireScope(withScopes(...scopes), method, template)).toThrow(
    expect.objectContaining({ code: 'forbidden', fields: { scope: ['This operation needs a session.'] } }),
  );
});

test('names of parameters do not matter, and HEAD needs the scope of GET', () => {
  expect(scopeOf('GET', '/api/v3/admin/courses/{id}')).toBe('courses:read');
  expect(scopeOf('HEAD', '/api/v3/admin/courses/:course_id')).toBe('courses:read');
  expect(isScope('session')).toBe(false);
});
