import {
  type Operations,
  operationsOfScopes,
  sessionOperations,
  unlimitedOperations,
} from './operationScopes.ts';
import type { Scope } from './scopes.ts';

/**
 * What a token for programs needs for an operation: a scope; `session` if only a session may make the request; null if
 * every token may.
 */
export type RequiredScope = Scope | 'session' | null;

interface ScopedOperation {
  method: string;
  /** From /api/v3 on. */
  path: string;
  scope: RequiredScope;
}

/** Every operation that requires a token, with what a token for programs needs for it. */
export const scopedOperations: readonly ScopedOperation[] = [
  ...withScope('session', sessionOperations),
  ...withScope(null, unlimitedOperations),
  ...Object.entries(operationsOfScopes).flatMap(([scope, each]) => withScope(scope as Scope, each)),
];

function withScope(scope: RequiredScope, listed: Operations): ScopedOperation[] {
  return listed.flatMap((operation) => {
    const methods = operation.split(' ');
    const path = `/api/v3${methods.pop()}`;
    const paths = path.includes('/:kind')
      ? ['quizzes', 'homeworks'].map((kind) => path.replace(':kind', kind))
      : [path];
    return methods.flatMap((method) => paths.map((each) => ({ method, path: each, scope })));
  });
}
