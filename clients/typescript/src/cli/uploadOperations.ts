import type { Operation } from '../http/operation.ts';

const bodies = ['multipart/form-data', 'application/json'];

/** Operations that check a file, and then apply it with the token returned by the check. */
export const importGrades: Operation = {
  method: 'POST',
  path: '/api/v3/grading/{kind}/{item_id}/grades',
  query: ['dry_run'],
  body: bodies,
};

export const importRoster: Operation = {
  method: 'POST',
  path: '/api/v3/grading/courses/{course_id}/roster',
  query: ['dry_run'],
  body: bodies,
};
