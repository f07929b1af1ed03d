import { isScope, maxTokenCourses, type Scope } from './scopes.ts';

/** `session` for a login, `personal` for a person's own programs, `service` for a service account. */
export type TokenKind = 'session' | 'personal' | 'service';

/**
 * The claims that distinguish the kinds of access tokens. Only the token of a session has `sid`, the session's id. Only
 * tokens for programs have `token_kind` and `scope`, scopes separated by spaces (RFC 9068 §2.2.3), and `course_ids` if
 * they are limited to courses.
 */
type KindClaims = Readonly<Record<string, unknown>>;

interface KindAndLimits {
  kind: TokenKind;
  sessionId: number | null;
  scopes: ReadonlySet<Scope> | null;
  courseIds: ReadonlySet<number> | null;
}

/**
 * Reads the kind of a token and its limits.
 * @throws Error unless the claims are exactly those of one kind, so that a malformed limit never becomes no limit
 */
export function readTokenKind(claims: KindClaims): KindAndLimits {
  const { sid, token_kind: kind } = claims;
  if (kind === undefined)
    return { kind: 'session', sessionId: readSession(claims), scopes: null, courseIds: null };
  if (kind !== 'personal' && kind !== 'service') throw new Error('an unknown kind of token');
  if (sid !== undefined) throw new Error('a token for programs with a session');
  return {
    kind,
    sessionId: null,
    scopes: readScopes(claims.scope),
    courseIds: readCourses(claims.course_ids),
  };
}

function readSession({ sid, scope, course_ids: courseIds }: KindClaims): number {
  if (scope !== undefined || courseIds !== undefined) throw new Error('a session with limits');
  if (!Number.isSafeInteger(sid)) throw new Error('a claim is missing');
  return sid as number;
}

function readScopes(scope: unknown): ReadonlySet<Scope> {
  const names = typeof scope === 'string' ? scope.split(' ') : [];
  if (names.length === 0 || !names.every(isScope)) throw new Error('invalid scopes');
  return new Set(names);
}

function readCourses(ids: unknown): ReadonlySet<number> | null {
  if (ids === undefined) return null;
  const valid =
    Array.isArray(ids) && ids.length > 0 && ids.length <= maxTokenCourses && ids.every(isCourseId);
  if (!valid) throw new Error('invalid courses');
  return new Set(ids);
}

const isCourseId = (id: unknown): boolean => Number.isSafeInteger(id) && (id as number) > 0;
