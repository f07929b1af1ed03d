import { nullable, recordId, string } from '@gradeway/shared/http/validation';
import { settingChanges, settingFields, withoutUndefined } from '@gradeway/shared/items/itemSchema';
import { z } from 'zod';
import { maxDescriptionLength } from './schemas.ts';

/** Settings of an assignment. An absent field leaves the property unchanged; null or an empty form field clears it. */
export const teachersAssignmentSchema = z
  .object({ ...settingFields, description: nullable(string(maxDescriptionLength)) })
  .transform((fields) => ({
    ...settingChanges(fields),
    ...withoutUndefined({ description: fields.description }),
  }));

/** The class that a copy goes to. */
export const assignmentTargetSchema = z
  .object({ class_id: recordId() })
  .transform(({ class_id: classId }) => ({ classId }));
