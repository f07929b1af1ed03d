import { largeJsonBytes } from '@gradeway/shared/http/jsonBody';

export type Upstream = 'auth' | 'courses' | 'homework' | 'quiz';

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

interface Traits {
  /** Requires no valid token at the gateway, because the route is public or its service checks the request. */
  open?: true;
  /** The limit per address that applies: failed logins, or requests for one-time codes (D50). */
  login?: 'failures' | 'codes';
  /** Max files in the body. `MAX_UPLOAD_BYTES` limits each. */
  files?: number;
  /** Max size of a body that is received completely, if larger than on other routes (D53). */
  bodyBytes?: number;
  /** Accessed with a signed link, without a token (D31). */
  signedLink?: true;
  /** Transfers large bodies, with longer timeouts and separate slots. */
  transfer?: 'upload' | 'download';
  /** May change every submission for an item, which can take three minutes. */
  slow?: true;
}

export interface Route extends Traits {
  method: Method;
  path: string;
  upstream: Upstream;
}

const open = { open: true } as const;
const upload = (files: number) => ({ files, transfer: 'upload' }) as const;
const download = { transfer: 'download' } as const;
const large = { bodyBytes: largeJsonBytes } as const;
const slow = { slow: true } as const;
const signedLink = { ...open, ...download, signedLink: true } as const;

// prettier-ignore
// biome-ignore format: a table is read by its columns
const table: [Method, string, Upstream, Traits?][] = [
  ['GET',    '/.well-known/jwks.json',                                'auth', open],
  ['POST',   '/api/v3/login',                                         'auth', { ...open, login: 'failures' }],
  ['POST',   '/api/v3/login/otp',                                     'auth', { ...open, login: 'codes' }],
  ['POST',   '/api/v3/login/otp/verify',                              'auth', { ...open, login: 'failures' }],
  ['POST',   '/api/v3/token/refresh',                                 'auth', open], // accepts an expired token too (D12)
  ['POST',   '/api/v3/logout',                                        'auth'],
  ['PUT',    '/api/v3/password',                                      'auth'],
  ['POST',   '/api/v3/reauthenticate',                                'auth'],
  ['POST',   '/api/v3/mfa/totp',                                      'auth'],
  ['POST',   '/api/v3/mfa/totp/confirm',                              'auth'],
  ['DELETE', '/api/v3/mfa/totp',                                      'auth'],
  ['GET',    '/api/v3/me',                                            'auth'],
  ['GET',    '/api/v3/me/sessions',                                   'auth'],
  ['DELETE', '/api/v3/me/sessions/:id',                               'auth'],
  ['GET',    '/api/v3/devices',                                       'auth'],
  ['DELETE', '/api/v3/devices/:id',                                   'auth'],
  ['POST',   '/api/v3/receipts/verify',                               'auth'],
  ['GET',    '/api/v3/admin/users',                                   'auth'],
  ['POST',   '/api/v3/admin/users',                                   'auth'],
  ['GET',    '/api/v3/admin/users/:id',                               'auth'],
  ['PATCH',  '/api/v3/admin/users/:id',                               'auth'],
  ['DELETE', '/api/v3/admin/users/:id',                               'auth'],
  ['GET',    '/api/v3/admin/users/:id/devices',                       'auth'],
  ['GET',    '/api/v3/admin/users/:id/personal-data',                 'auth', download],
  ['POST',   '/api/v3/admin/users/:id/erasure',                       'auth'],
  ['GET',    '/api/v3/admin/users/:id/erasure',                       'auth'],
  ['PATCH',  '/api/v3/admin/devices/:id',                             'auth'],
  ['DELETE', '/api/v3/admin/devices/:id',                             'auth'],
  ['GET',    '/api/v3/admin/audit',                                   'auth', download],

  ['GET',    '/api/v3/admin/courses',                                 'courses'],
  ['POST',   '/api/v3/admin/courses',                                 'courses'],
  ['GET',    '/api/v3/admin/courses/:course_id',                      'courses'],
  ['PATCH',  '/api/v3/admin/courses/:course_id',                      'courses'],
  ['DELETE', '/api/v3/admin/courses/:course_id',                      'courses'],
  ['GET',    '/api/v3/admin/courses/:course_id/classes',              'courses'],
  ['POST',   '/api/v3/admin/courses/:course_id/classes',              'courses'],
  ['PATCH',  '/api/v3/admin/classes/:class_id',                       'courses'],
  ['DELETE', '/api/v3/admin/classes/:class_id',                       'courses'],
  ['GET',    '/api/v3/admin/courses/:course_id/students',             'courses'],
  ['PUT',    '/api/v3/admin/courses/:course_id/students/:user_id',    'courses'],
  ['DELETE', '/api/v3/admin/courses/:course_id/students/:user_id',    'courses'],
  ['GET',    '/api/v3/admin/courses/:course_id/instructors',          'courses'],
  ['PUT',    '/api/v3/admin/courses/:course_id/instructors/:user_id', 'courses'],
  ['DELETE', '/api/v3/admin/courses/:course_id/instructors/:user_id', 'courses'],
  ['GET',    '/api/v3/admin/courses/:course_id/gradebook',            'courses', download],
  ['GET',    '/api/v3/admin/courses/:course_id/submissions.zip',      'courses', download],
  ['GET',    '/api/v3/admin/webhooks',                                'courses'],
  ['POST',   '/api/v3/admin/webhooks',                                'courses'],
  ['GET',    '/api/v3/admin/webhooks/:id',                            'courses'],
  ['PATCH',  '/api/v3/admin/webhooks/:id',                            'courses'],
  ['DELETE', '/api/v3/admin/webhooks/:id',                            'courses'],
  ['POST',   '/api/v3/admin/webhooks/:id/rotate-secret',              'courses'],
  ['POST',   '/api/v3/admin/webhooks/:id/test',                       'courses'],
  ['POST',   '/api/v3/admin/webhooks/:id/replay',                     'courses'],
  ['GET',    '/api/v3/admin/webhooks/:id/deliveries',                 'courses'],
  ['POST',   '/api/v3/admin/webhooks/:id/deliveries/:delivery_id/replay', 'courses'],
  ['POST',   '/api/v3/admin/import',                                  'courses', upload(2)], // an archive may have twice the size of a PDF
  ['GET',    '/api/v3/admin/import/:id',                              'courses'],
  ['GET',    '/api/v3/grading/courses',                               'courses'],
  ['GET',    '/api/v3/grading/courses/:course_id/students',           'courses'],
  ['GET',    '/api/v3/grading/courses/:course_id/gradebook',          'courses', download],
  ['GET',    '/api/v3/grading/courses/:course_id/instructors',        'courses'],
  ['PUT',    '/api/v3/grading/courses/:course_id/instructors/:user_id', 'courses'],
  ['DELETE', '/api/v3/grading/courses/:course_id/instructors/:user_id', 'courses'],
  ['GET',    '/api/v3/grading/courses/:course_id/classes',            'courses'],
  ['POST',   '/api/v3/grading/courses/:course_id/classes',            'courses'],
  ['PATCH',  '/api/v3/grading/classes/:class_id',                     'courses'],
  ['DELETE', '/api/v3/grading/classes/:class_id',                     'courses'],
  ['GET',    '/api/v3/grading/courses/:course_id/accommodations/:student_id', 'courses'],
  ['PUT',    '/api/v3/grading/courses/:course_id/accommodations/:student_id', 'courses'],
  ['DELETE', '/api/v3/grading/courses/:course_id/accommodations/:student_id', 'courses'],
  ['GET',    '/api/v3/grading/comments',                              'courses'],
  ['POST',   '/api/v3/grading/comments',                              'courses'],
  ['PATCH',  '/api/v3/grading/comments/:id',                          'courses'],
  ['DELETE', '/api/v3/grading/comments/:id',                          'courses'],
  ['POST',   '/api/v3/grading/comments/:id/use',                      'courses'],
  ['GET',    '/api/v3/courses',                                       'courses'],
  ['GET',    '/api/v3/grades',                                        'courses'],

  ['GET',    '/api/v3/admin/homeworks',                               'homework'],
  ['GET',    '/api/v3/admin/homeworks/:id',                           'homework'],
  ['PUT',    '/api/v3/admin/homeworks/:id',                           'homework', upload(1)],
  ['DELETE', '/api/v3/admin/homeworks/:id',                           'homework'],
  ['POST',   '/api/v3/admin/homeworks/grade/:id',                     'homework'],
  ['GET',    '/api/v3/admin/homeworks/submissions/:id/history',       'homework'],
  ['DELETE', '/api/v3/admin/homeworks/submissions/:id/files/:file_id', 'homework'],
  ['GET',    '/api/v3/grading/homeworks',                             'homework'],
  ['GET',    '/api/v3/grading/homeworks/:item_id',                    'homework'],
  ['PUT',    '/api/v3/grading/homeworks/:item_id',                    'homework', upload(1)],
  ['PATCH',  '/api/v3/grading/homeworks/:item_id',                    'homework', upload(1)],
  ['DELETE', '/api/v3/grading/homeworks/:item_id',                    'homework'],
  ['POST',   '/api/v3/grading/homeworks/:item_id/copy',               'homework'],
  ['GET',    '/api/v3/grading/homeworks/:item_id/submissions',        'homework'],
  ['POST',   '/api/v3/grading/homeworks/:item_id/submissions',        'homework', upload(10)],
  ['GET',    '/api/v3/grading/homeworks/:item_id/students',           'homework'],
  ['POST',   '/api/v3/grading/homeworks/:item_id/next',               'homework'],
  ['GET',    '/api/v3/grading/homeworks/:item_id/rubric',             'homework'],
  ['PUT',    '/api/v3/grading/homeworks/:item_id/rubric',             'homework', { ...large, ...slow }],
  ['DELETE', '/api/v3/grading/homeworks/:item_id/rubric',             'homework', slow],
  ['GET',    '/api/v3/grading/homeworks/:item_id/statistics',         'homework'],
  ['GET',     '/api/v3/grading/homeworks/:item_id/progress',          'homework'],
  ['POST',   '/api/v3/grading/homeworks/:item_id/release',            'homework'],
  ['DELETE', '/api/v3/grading/homeworks/:item_id/release',            'homework'],
  ['GET',    '/api/v3/grading/homeworks/:item_id/allowances',         'homework'],
  ['POST',   '/api/v3/grading/homeworks/:item_id/allowances',         'homework', large],
  ['PUT',    '/api/v3/grading/homeworks/:item_id/allowances/:student_id', 'homework'],
  ['DELETE', '/api/v3/grading/homeworks/:item_id/allowances/:student_id', 'homework'],
  ['GET',    '/api/v3/grading/homeworks/submissions/:id',             'homework'],
  ['PUT',    '/api/v3/grading/homeworks/submissions/:id',             'homework', large],
  ['DELETE', '/api/v3/grading/homeworks/submissions/:id/grade',       'homework'],
  ['PUT',    '/api/v3/grading/homeworks/submissions/:id/claim',       'homework'],
  ['DELETE', '/api/v3/grading/homeworks/submissions/:id/claim',       'homework'],
  ['PUT',    '/api/v3/grading/homeworks/submissions/:id/late',        'homework'],
  ['GET',    '/api/v3/grading/homeworks/submissions/:id/history',     'homework'],
  ['PUT',     '/api/v3/grading/homeworks/submissions/:id/questions/:question_id', 'homework'],
  ['DELETE',  '/api/v3/grading/homeworks/submissions/:id/questions/:question_id', 'homework'],
  ['PUT',     '/api/v3/grading/homeworks/submissions/:id/questions/:question_id/claim', 'homework'],
  ['DELETE',  '/api/v3/grading/homeworks/submissions/:id/questions/:question_id/claim', 'homework'],
  ['GET',    '/api/v3/homeworks',                                     'homework'],
  ['GET',    '/api/v3/homeworks/submissions/:id',                     'homework'],
  ['POST',   '/api/v3/homeworks/:class_id/submissions',               'homework', upload(10)],
  ['GET',    '/api/v3/assignments/download/:submission_id',           'homework', download],
  ['GET',    '/api/v3/files/homework/:id',                            'homework', signedLink],
  ['GET',    '/api/v3/files/homework/annotated/:id',                  'homework', signedLink],

  ['GET',    '/api/v3/quiz/pdf-quizzes',                              'quiz'],
  ['POST',   '/api/v3/quiz/pdf-quizzes',                              'quiz', upload(1)],
  ['GET',    '/api/v3/quiz/pdf-quizzes/:id',                          'quiz'],
  ['PATCH',  '/api/v3/quiz/pdf-quizzes/:id',                          'quiz', upload(1)],
  ['DELETE', '/api/v3/quiz/pdf-quizzes/:id',                          'quiz'],
  ['POST',   '/api/v3/quiz/pdf-quizzes/grade/:grade_id',              'quiz'],
  ['GET',    '/api/v3/quiz/pdf-quizzes/grade/:grade_id/history',      'quiz'],
  ['GET',    '/api/v3/grading/quizzes',                               'quiz'],
  ['POST',   '/api/v3/grading/quizzes',                               'quiz', upload(1)],
  ['GET',    '/api/v3/grading/quizzes/:item_id',                      'quiz'],
  ['PATCH',  '/api/v3/grading/quizzes/:item_id',                      'quiz', upload(1)],
  ['DELETE', '/api/v3/grading/quizzes/:item_id',                      'quiz'],
  ['POST',   '/api/v3/grading/quizzes/:item_id/copy',                 'quiz'],
  ['GET',    '/api/v3/grading/quizzes/:item_id/submissions',          'quiz'],
  ['POST',   '/api/v3/grading/quizzes/:item_id/submissions',          'quiz', upload(1)],
  ['GET',    '/api/v3/grading/quizzes/:item_id/students',             'quiz'],
  ['POST',   '/api/v3/grading/quizzes/:item_id/next',                 'quiz'],
  ['GET',    '/api/v3/grading/quizzes/:item_id/rubric',               'quiz'],
  ['PUT',    '/api/v3/grading/quizzes/:item_id/rubric',               'quiz', { ...large, ...slow }],
  ['DELETE', '/api/v3/grading/quizzes/:item_id/rubric',               'quiz', slow],
  ['GET',    '/api/v3/grading/quizzes/:item_id/statistics',           'quiz'],
  ['GET',     '/api/v3/grading/quizzes/:item_id/progress',            'quiz'],
  ['POST',   '/api/v3/grading/quizzes/:item_id/release',              'quiz'],
  ['DELETE', '/api/v3/grading/quizzes/:item_id/release',              'quiz'],
  ['GET',    '/api/v3/grading/quizzes/:item_id/allowances',           'quiz'],
  ['POST',   '/api/v3/grading/quizzes/:item_id/allowances',           'quiz', large],
  ['PUT',    '/api/v3/grading/quizzes/:item_id/allowances/:student_id', 'quiz'],
  ['DELETE', '/api/v3/grading/quizzes/:item_id/allowances/:student_id', 'quiz'],
  ['GET',    '/api/v3/grading/quizzes/submissions/:id',               'quiz'],
  ['PUT',    '/api/v3/grading/quizzes/submissions/:id',               'quiz', large],
  ['DELETE', '/api/v3/grading/quizzes/submissions/:id/grade',         'quiz'],
  ['PUT',    '/api/v3/grading/quizzes/submissions/:id/claim',         'quiz'],
  ['DELETE', '/api/v3/grading/quizzes/submissions/:id/claim',         'quiz'],
  ['PUT',    '/api/v3/grading/quizzes/submissions/:id/late',          'quiz'],
  ['GET',    '/api/v3/grading/quizzes/submissions/:id/history',       'quiz'],
  ['PUT',     '/api/v3/grading/quizzes/submissions/:id/questions/:question_id', 'quiz'],
  ['DELETE',  '/api/v3/grading/quizzes/submissions/:id/questions/:question_id', 'quiz'],
  ['PUT',     '/api/v3/grading/quizzes/submissions/:id/questions/:question_id/claim', 'quiz'],
  ['DELETE',  '/api/v3/grading/quizzes/submissions/:id/questions/:question_id/claim', 'quiz'],
  ['GET',    '/api/v3/quiz/available',                                'quiz'],
  ['GET',    '/api/v3/quiz/submissions',                              'quiz'],
  ['GET',    '/api/v3/quiz/submissions/:id',                          'quiz'],
  ['POST',   '/api/v3/quiz/submit-pdf',                               'quiz', upload(1)],
  ['GET',    '/api/v3/files/quiz/:id',                                'quiz', signedLink],
  ['GET',    '/api/v3/files/quiz/annotated/:id',                      'quiz', signedLink],
];

/** All routes that the gateway forwards, with their services. */
export const routeTable: Route[] = table.map(([method, path, upstream, traits]) => ({
  method,
  path,
  upstream,
  ...traits,
}));
