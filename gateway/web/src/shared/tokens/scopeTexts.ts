import type { Scope } from './tokenTypes.ts';

/** The scopes of tokens, each with its English description. */
export const scopeTexts: readonly (readonly [Scope, string])[] = [
  ['courses:read', 'Read courses and classes'],
  ['courses:write', 'Change courses, classes, teams and enrollments'],
  ['users:read', 'Read accounts'],
  ['users:write', 'Create, change and delete accounts'],
  ['work:read', 'Read quizzes and homework'],
  ['work:write', 'Create, change and publish quizzes and homework'],
  ['grades:read', 'Read submissions and grades'],
  ['grades:write', 'Grade submissions and release grades'],
  ['files:read', 'Download files'],
  ['submissions:write', 'Hand in work'],
  ['import', 'Import a school'],
  ['webhooks', 'Manage webhooks'],
  ['audit:read', 'Read the audit log'],
  ['personal-data', 'Export and erase personal data'],
];
