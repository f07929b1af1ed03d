/** The permissions of a token for programs (`x-scope` of each operation). The scopes of a session are not limited. */
export const scopes = [
  'courses:read',
  'courses:write',
  'users:read',
  'users:write',
  'work:read',
  'work:write',
  'grades:read',
  'grades:write',
  'files:read',
  'submissions:write',
  'import',
  'webhooks',
  'audit:read',
  'personal-data',
] as const;

export type Scope = (typeof scopes)[number];

export const isScope = (value: unknown): value is Scope => scopes.includes(value as Scope);

/** The maximum number of courses that a token can be limited to, because the token contains their ids. */
export const maxTokenCourses = 100;
