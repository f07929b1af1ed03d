import { scopedOperations } from '@gradeway/shared/auth/operationScopes';
import { scopeOf } from '@gradeway/shared/auth/requireScope';
import { expect, test } from 'vitest';
import { operations } from '../support/openApi.ts';

const table = operations.flatMap(({ method, template, operation }) =>
  (template.includes('{kind}') ? ['quizzes', 'homeworks'] : ['']).map((kind) => ({
    operation: `${method.toUpperCase()} ${template.replace('{kind}', kind)}`,
    isPublic: operation['x-roles'].includes('public'),
    hasScope: 'x-scope' in operation,
    scope: operation['x-scope'],
    statuses: Object.keys(operation.responses),
  })),
);
const scopeOfOperation = (operation: string) => {
  const [method = '', template = ''] = operation.split(' ');
  return scopeOf(method, template);
};

test('x-scope of every operation of the OpenAPI document is the scope that the gateway and the services require', () => {
  expect(table.map(({ operation, scope }) => [operation, scope])).toEqual(
    table.map(({ operation }) => [operation, scopeOfOperation(operation)]),
  );
});

test('exactly the public operations have no x-scope', () => {
  expect(table.filter(({ isPublic, hasScope }) => isPublic === hasScope)).toEqual([]);
});

test('every operation with a scope documents the response to a token that lacks it', () => {
  const refusal = (operation: string) =>
    /\/api\/v3\/(admin\/homeworks|assignments)/.test(operation) ? '401' : '403';
  const scoped = table.filter(({ hasScope, scope }) => hasScope && scope !== null);
  expect(scoped.filter(({ operation, statuses }) => !statuses.includes(refusal(operation)))).toEqual([]);
});

test('the list of scopes names each operation once, and only operations of the document', () => {
  const named = scopedOperations.map(([operation]) => {
    const [method, path] = operation.split(' ');
    return `${method} /api/v3${path}`.replaceAll(/:\w+/g, ':');
  });
  const documented = new Set(table.map(({ operation }) => operation.replaceAll(/\{\w+\}/g, ':')));
  expect(named.filter((operation, index) => named.indexOf(operation) !== index)).toEqual([]);
  expect(named.filter((operation) => !documented.has(operation))).toEqual([]);
});
