import type { Clock } from '@gradeway/shared/http/timestamps';
import { dateTime, integer, nullable, string } from '@gradeway/shared/http/validation';
import { z } from 'zod';
import type { AssignmentChanges } from '../domain/setAssignment.ts';

const longestComment = 1_000;
const longestDescription = 10_000;

/** Specification 4. An absent comment stays absent; null and the empty one clear (D18). */
export const gradeFields = z.object({ rating: integer(1, 10), comment: nullable(string(longestComment)) });

// Sequelize cannot write the years before 1, and nobody means those before this one.
const earliestDeadline = new Date('1900-01-01T00:00:00Z');
const deadline = (clock: Clock) =>
  dateTime(clock).refine((time) => time >= earliestDeadline, {
    error: 'The assignment deadline must be a date after 1900-01-01.',
  });

// A file comes as a file. As a field it can only be empty, which takes the present one away.
const noFile = z.custom<never>(() => false, { error: 'The file must be a valid PDF.' });

/** What is set of an assignment. What is not given stays; null or an empty form field clears. */
export const assignmentFields = (clock: Clock) =>
  z
    .object({
      file: nullable(noFile),
      assignment_deadline: nullable(deadline(clock)),
      assignment_description: nullable(string(longestDescription)),
    })
    .transform(({ file, assignment_deadline, assignment_description }) => {
      const changes: AssignmentChanges = { clearsFile: file === null };
      if (assignment_deadline !== undefined) changes.deadline = assignment_deadline;
      if (assignment_description !== undefined) changes.description = assignment_description;
      return changes;
    });
