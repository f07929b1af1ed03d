import { pdfTextField } from '@gradeway/shared/files/pdfTextField';
import type { Clock } from '@gradeway/shared/http/timestamps';
import { dateTime, integer, nullable, string } from '@gradeway/shared/http/validation';
import { z } from 'zod';
import type { AssignmentChanges } from '../domain/upsertAssignment.ts';

const maxCommentLength = 1_000;
export const maxDescriptionLength = 10_000;

/** Specification 4. An absent comment keeps the earlier one; null or an empty comment clears it (D18). */
export const gradeSchema = z.object({ rating: integer(1, 10), comment: nullable(string(maxCommentLength)) });

// Sequelize cannot write years before 1, and a deadline before 1900 is a typing error.
const earliestDeadline = new Date('1900-01-01T00:00:00Z');
const deadline = (clock: Clock) =>
  dateTime(clock).refine((time) => time >= earliestDeadline, {
    error: 'The assignment deadline must be a date after 1900-01-01.',
  });

/** Changes to an assignment. An absent field leaves the property unchanged; null or an empty form field clears it. */
export const assignmentSchema = (clock: Clock) =>
  z
    .object({
      file: pdfTextField(),
      assignment_deadline: nullable(deadline(clock)),
      assignment_description: nullable(string(maxDescriptionLength)),
    })
    .transform(({ file, assignment_deadline, assignment_description }) => {
      const changes: AssignmentChanges = { clearsFile: file === null };
      if (assignment_deadline !== undefined) changes.closesAt = assignment_deadline;
      if (assignment_description !== undefined) changes.description = assignment_description;
      return changes;
    });
