import {
  type Operations,
  operationsOfScopes,
  sessionOperations,
  unlimitedOperations,
} from './operationScopes.ts';
import type { Scope } from './scopes.ts';

/**
 * The requirement of an operation for tokens that were issued for programs: a scope; `session` if only a session may
 * make the request; null if every token may.
 */
export type RequiredScope = Scope | 'session' | null;

interface ScopedOperation {
  method: string;
  /** From /api/v3 on. */
  path: string;
  scope: RequiredScope;
}

/** Every operation that requires a token, with the requirement for tokens that were issued for programs. */
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
