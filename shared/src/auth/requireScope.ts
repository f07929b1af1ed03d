import { AppError } from '../errors/appError.ts';
import type { Principal } from './accessToken.ts';
import { type RequiredScope, scopedOperations } from './scopedOperations.ts';

// Services and the gateway name the parameters of a path differently.
const keyOf = (method: string, template: string): string =>
  `${method === 'HEAD' ? 'GET' : method} ${template.replaceAll(/:\w+|\{\w+\}/g, ':')}`;

const required = new Map<string, RequiredScope>(
  scopedOperations.map(({ method, path, scope }) => [keyOf(method, path), scope]),
);

/**
 * Returns the requirement of an operation for tokens that were issued for programs; undefined if it is public or
 * unknown.
 */
export const scopeOf = (method: string, template: string): RequiredScope | undefined =>
  required.get(keyOf(method, template));

/**
 * Refuses a token for programs that lacks the scope of an operation, or an operation that is not in the list. The
 * gateway and every service check this, so that a request that bypasses the gateway gains nothing.
 * @throws AppError `forbidden`, or `unauthenticated` where a wrong role is (D36)
 */
export function requireScope({ scopes }: Pick<Principal, 'scopes'>, method: string, template: string): void {
  if (scopes === null) return;
  const scope = scopeOf(method, template);
  if (scope === null || (scope !== undefined && scope !== 'session' && scopes.has(scope))) return;
  throw refusal(template, scope);
}

const homeworkOfSpecification = /^\/api\/v3\/(admin\/homeworks|assignments\/download)(\/|$)/;

function refusal(template: string, scope: RequiredScope | undefined): AppError {
  const message =
    scope === undefined || scope === 'session'
      ? 'This operation needs a session.'
      : `This token lacks the scope ${scope}.`;
  const details = { reason: 'insufficient_scope' as const, fields: { scope: [message] } };
  return homeworkOfSpecification.test(template)
    ? new AppError('unauthenticated', 'UnauthorizedRequest', details)
    : new AppError('forbidden', 'Unauthorized Access', details);
}
