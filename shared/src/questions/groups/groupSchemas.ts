import { z } from 'zod';
import { hasDuplicates } from '../../grading/schemas.ts';
import { recordId, requiredMessage, title } from '../../http/validation.ts';

const maxMembers = 5_000;
const maxTitleLength = 200;

const submissions = (name: string) =>
  z
    .array(recordId(), {
      error: (issue) => (issue.input === undefined ? requiredMessage(name) : `The ${name} must be a list.`),
    })
    .max(maxMembers, { error: `The ${name} may not be more than ${maxMembers}.` })
    .refine((ids) => !hasDuplicates(ids), { error: `The ids of the ${name} must be different.` });

/** A new group in a request. */
export const newGroupSchema = z
  .object({ title: title(maxTitleLength), submission_ids: submissions('submission ids') })
  .transform(({ title, submission_ids }) => ({ title, submissionIds: submission_ids }));

/** A change of a group. */
export const groupChangeSchema = z
  .object({
    title: title(maxTitleLength).optional(),
    add: submissions('add').optional(),
    remove: submissions('remove').optional(),
  })
  .refine(({ add = [], remove = [] }) => !hasDuplicates([...add, ...remove]), {
    path: ['remove'],
    error: 'A submission cannot be both added and removed.',
  });
