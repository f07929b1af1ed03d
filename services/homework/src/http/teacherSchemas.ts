import { nullable, recordId, string } from '@gradeway/shared/http/validation';
import { withoutUndefined } from '@gradeway/shared/http/withoutUndefined';
import { settingChanges, settingFields } from '@gradeway/shared/items/itemSchema';
import { z } from 'zod';
import { maxDescriptionLength } from './schemas.ts';

export const assignmentFields = z.object({
  ...settingFields,
  description: nullable(string(maxDescriptionLength)),
});
export const assignmentTargetFields = z.object({ class_id: recordId() });

/** Settings of an assignment. An absent field leaves the property unchanged; null or an empty form field clears it. */
export const teachersAssignmentSchema = assignmentFields.transform((fields) => ({
  ...settingChanges(fields),
  ...withoutUndefined({ description: fields.description }),
}));

/** The destination class of a copy. */
export const assignmentTargetSchema = assignmentTargetFields.transform(({ class_id: classId }) => ({
  classId,
}));
