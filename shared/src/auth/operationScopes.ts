import type { Scope } from './scopes.ts';

/**
 * What a token for programs needs for an operation: a scope; `session` if only a session may make the request, because
 * it concerns the caller's credentials; null if every token may.
 */
export type RequiredScope = Scope | 'session' | null;

type Operations = readonly string[];

const sessionOnly: Operations = [
  'POST /token/refresh',
  'POST /logout',
  'PUT /password',
  'POST /reauthenticate',
  'POST /mfa/totp',
  'POST /mfa/totp/confirm',
  'DELETE /mfa/totp',
  'GET /me/sessions',
  'DELETE /me/sessions/:id',
  'GET /devices',
  'DELETE /devices/:id',
  'GET /me/tokens',
  'POST /me/tokens',
  'DELETE /me/tokens/:id',
  'GET /admin/service-accounts',
  'POST /admin/service-accounts',
  'PATCH /admin/service-accounts/:id',
  'DELETE /admin/service-accounts/:id',
  'POST /admin/service-accounts/:id/tokens',
  'DELETE /admin/service-accounts/:id/tokens/:token_id',
];

const unlimited: Operations = ['GET /me', 'GET /me/token'];

// `:kind` stands for `quizzes` and `homeworks`.
const grading = '/grading/:kind';
const item = `${grading}/:item_id`;
const question = `${item}/questions/:question_id`;
const submission = `${grading}/submissions/:id`;
const answer = `${submission}/questions/:question_id`;

/** The operations of each scope, below /api/v3. Names of parameters do not matter. */
const operations: Record<Scope, Operations> = {
  'courses:read': [
    'GET /courses',
    'GET /grading/courses',
    'GET /grading/courses/:course_id/classes',
    'GET /admin/courses',
    'GET /admin/courses/:course_id',
    'GET /admin/courses/:course_id/classes',
  ],
  'courses:write': [
    'POST /admin/courses',
    'PATCH /admin/courses/:course_id',
    'DELETE /admin/courses/:course_id',
    'POST /admin/courses/:course_id/classes',
    'PATCH /admin/classes/:class_id',
    'DELETE /admin/classes/:class_id',
    'PUT /admin/courses/:course_id/students/:user_id',
    'DELETE /admin/courses/:course_id/students/:user_id',
    'PUT /admin/courses/:course_id/instructors/:user_id',
    'DELETE /admin/courses/:course_id/instructors/:user_id',
    'PUT /grading/courses/:course_id/instructors/:user_id',
    'DELETE /grading/courses/:course_id/instructors/:user_id',
    'POST /grading/courses/:course_id/classes',
    'PATCH /grading/classes/:class_id',
    'DELETE /grading/classes/:class_id',
  ],
  'users:read': [
    'GET /admin/users',
    'GET /admin/users/:id',
    'GET /admin/users/:id/devices',
    'GET /admin/courses/:course_id/students',
    'GET /admin/courses/:course_id/instructors',
    'GET /grading/instructors',
    'GET /grading/courses/:course_id/students',
    'GET /grading/courses/:course_id/instructors',
  ],
  'users:write': [
    'POST /admin/users',
    'PATCH /admin/users/:id',
    'DELETE /admin/users/:id',
    'PATCH /admin/devices/:id',
    'DELETE /admin/devices/:id',
  ],
  'work:read': [
    'GET /admin/homeworks',
    'GET /admin/homeworks/:id',
    'GET /homeworks',
    'GET /homeworks/submissions/:id',
    'GET /quiz/pdf-quizzes',
    'GET /quiz/pdf-quizzes/:id',
    'GET /quiz/available',
    'GET /quiz/submissions',
    'GET /quiz/submissions/:id',
    'POST /receipts/verify',
    'GET /grading/courses/:course_id/accommodations/:student_id',
    ...[grading, item, `${item}/allowances`, `${item}/questions`].map((path) => `GET ${path}`),
  ],
  'work:write': [
    'PUT /admin/homeworks/:id',
    'DELETE /admin/homeworks/:id',
    'POST /quiz/pdf-quizzes',
    'PATCH /quiz/pdf-quizzes/:id',
    'DELETE /quiz/pdf-quizzes/:id',
    'POST /grading/quizzes',
    'PUT /grading/homeworks/:class_id',
    'PUT /grading/courses/:course_id/accommodations/:student_id',
    'DELETE /grading/courses/:course_id/accommodations/:student_id',
    `PATCH ${item}`,
    `DELETE ${item}`,
    `POST ${item}/copy`,
    `POST ${item}/allowances`,
    `PUT ${item}/allowances/:student_id`,
    `DELETE ${item}/allowances/:student_id`,
    `PUT ${item}/questions`,
  ],
  'grades:read': [
    'GET /grades',
    'GET /admin/courses/:course_id/gradebook',
    'GET /grading/courses/:course_id/gradebook',
    'GET /admin/homeworks/submissions/:id/history',
    'GET /quiz/pdf-quizzes/grade/:grade_id/history',
    'GET /homeworks/submissions/:id/reviews',
    'GET /quiz/submissions/:id/reviews',
    'GET /grading/comments',
    ...['submissions', 'students', 'rubric', 'statistics', 'progress', 'reviews'].map(
      (list) => `GET ${item}/${list}`,
    ),
    ...['rubric', 'groups', 'groups/:group_id'].map((part) => `GET ${question}/${part}`),
    `GET ${submission}`,
    `GET ${submission}/history`,
  ],
  'grades:write': [
    'POST /admin/homeworks/grade/:id',
    'POST /quiz/pdf-quizzes/grade/:grade_id',
    'POST /grading/comments',
    'PATCH /grading/comments/:id',
    'DELETE /grading/comments/:id',
    'POST /grading/comments/:id/use',
    `POST ${item}/next`,
    ...[item, question].flatMap((owner) => [
      `PUT ${owner}/rubric`,
      `DELETE ${owner}/rubric`,
      `POST ${owner}/rubric/import`,
    ]),
    `POST ${item}/release`,
    `DELETE ${item}/release`,
    `POST ${item}/reviews/next`,
    `PUT ${grading}/reviews/:id`,
    `POST ${question}/groups`,
    `PATCH ${question}/groups/:group_id`,
    `DELETE ${question}/groups/:group_id`,
    `PUT ${question}/groups/:group_id/grading`,
    `PUT ${submission}`,
    `DELETE ${submission}/grade`,
    `PUT ${submission}/late`,
    `PUT ${submission}/pages`,
    `POST ${submission}/reviews`,
    `PUT ${answer}`,
    `DELETE ${answer}`,
    ...[submission, answer].flatMap((graded) => [`PUT ${graded}/claim`, `DELETE ${graded}/claim`]),
  ],
  'files:read': ['GET /assignments/download/:submission_id', 'GET /admin/courses/:course_id/submissions.zip'],
  'submissions:write': [
    'POST /homeworks/:class_id/submissions',
    'POST /quiz/submit-pdf',
    'PUT /homeworks/submissions/:id/pages',
    'PUT /quiz/submissions/:id/pages',
    'POST /homeworks/submissions/:id/reviews',
    'POST /quiz/submissions/:id/reviews',
    'DELETE /admin/homeworks/submissions/:id/files/:file_id',
    `POST ${item}/submissions`,
  ],
  import: ['POST /admin/import', 'GET /admin/import/:id'],
  webhooks: [
    'GET /admin/webhooks',
    'POST /admin/webhooks',
    'GET /admin/webhooks/:id',
    'PATCH /admin/webhooks/:id',
    'DELETE /admin/webhooks/:id',
    'POST /admin/webhooks/:id/rotate-secret',
    'POST /admin/webhooks/:id/test',
    'POST /admin/webhooks/:id/replay',
    'GET /admin/webhooks/:id/deliveries',
    'POST /admin/webhooks/:id/deliveries/:delivery_id/replay',
  ],
  'audit:read': ['GET /admin/audit'],
  'personal-data': [
    'GET /admin/users/:id/personal-data',
    'GET /admin/users/:id/erasure',
    'POST /admin/users/:id/erasure',
  ],
};

/** Every operation that requires a token, with what a token for programs needs for it. */
export const scopedOperations: readonly (readonly [operation: string, scope: RequiredScope])[] = [
  ...sessionOnly.map((operation) => [operation, 'session'] as const),
  ...unlimited.map((operation) => [operation, null] as const),
  ...Object.entries(operations).flatMap(([scope, paths]) =>
    paths.map((operation) => [operation, scope as Scope] as const),
  ),
].flatMap(([operation, scope]) =>
  operation.includes('/:kind')
    ? ['quizzes', 'homeworks'].map((kind) => [operation.replace(':kind', kind), scope] as const)
    : [[operation, scope] as const],
);
