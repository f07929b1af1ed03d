/** The kind of an error. Each API maps it to its own status: `http/errors.ts`, `grpc/errors.ts`. */
export type ErrorKind = keyof typeof errorKinds;

/** Distinguishes an error from others of its kind if programs react to it differently. */
export type ErrorReason = keyof typeof errorReasons;

export const errorKinds = {
  malformed: 'The request is malformed, for example a body that is not JSON.',
  unauthenticated: 'There is no valid token.',
  forbidden: 'The caller has no permission.',
  not_found: 'No resource has this path or id.',
  method_not_allowed: 'The path does not support the method.',
  conflict: 'The state of the resource does not permit the change.',
  precondition_failed: '`If-Match` does not match the current state.',
  precondition_required: '`If-Match` is required.',
  too_large: 'The body or a file is too large.',
  request_timeout: 'The request did not arrive in time.',
  unsupported_media_type: 'The content type or encoding of the body is not supported.',
  invalid: 'Fields are invalid; `errors` names them.',
  too_many_requests: 'A limit is exceeded; `Retry-After` says when to try again.',
  internal: 'An unexpected fault.',
  unavailable: 'A dependency is unavailable; nothing was changed.',
  timeout: 'A service did not respond in time; the request may have been carried out.',
} as const;

export const errorReasons = {
  account_blocked: 'The account is blocked.',
  anonymous_item: 'The item is graded anonymously.',
  assignment_exists: 'The class has an assignment.',
  changed_meanwhile: 'The resource has changed since the caller read it; `data` is its current state.',
  claimed: 'Another grader has claimed the submission; `data` is the claim.',
  course_unpaid: 'The student is not enrolled in the course or has not paid for it.',
  deadline_passed: 'The time to hand in is over.',
  device_disabled: 'The device is disabled.',
  device_limit_reached: 'The account has the maximum number of devices.',
  device_taken: 'The device belongs to another account.',
  file_not_annotatable: 'Annotations cannot be rendered on the file.',
  graded: 'The submission is graded.',
  has_questions: 'The item has questions.',
  has_rubric: 'The item has a rubric.',
  insufficient_scope:
    'The token lacks the scope that `errors.scope` names, or the operation needs a session.',
  has_submissions: 'There are submissions.',
  import_exists: 'An import with this id exists.',
  import_in_progress: 'Another import is in progress.',
  invalid_credentials: 'The address, password or code is wrong.',
  last_administrator: 'There must be an administrator who can log in.',
  last_teacher: 'A course keeps one teacher.',
  login_not_allowed: 'Accounts with this role cannot log in.',
  not_open: 'The time to hand in has not begun.',
  not_own_page: 'Only pages of this host may use its sessions.',
  not_published: 'The item is a draft.',
  reauthentication_required: 'The session must re-authenticate.',
  review_closed: 'The review is closed.',
  review_exists: 'A review is open.',
  reviews_closed: 'The item does not accept reviews now.',
  reviews_used_up: 'The student has no reviews left.',
  rubric_in_use: 'Gradings use the rubric.',
  second_factor_enabled: 'The account has a second factor.',
  second_factor_required: 'The account requires a second factor.',
  submission_exists: 'The student has a submission; `data` shows it.',
  webhook_inactive: 'The webhook is not active.',
} as const;

/** Errors of HTTP itself, which have no {@link ErrorKind}. */
export const httpErrors = {
  header_too_large: 'The header fields of the request are too large.',
  range_not_satisfiable: '`Range` lies outside the file.',
} as const;

/** Every value of the header `Error-Code`, with its meaning. Codes are stable: clients switch on them. */
export const errorCodes = { ...errorKinds, ...errorReasons, ...httpErrors };

export const errorCodeHeader = 'Error-Code';
