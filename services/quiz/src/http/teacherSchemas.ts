import { totalGradeRange } from '@gradeway/shared/grading/schemas';
import { decimal, integerText, nullable, recordId, title } from '@gradeway/shared/http/validation';
import { administratorsSettings } from '@gradeway/shared/items/item';
import { settingChanges, settingFields, withoutUndefined } from '@gradeway/shared/items/itemSchema';
import { z } from 'zod';
import { durationMinutes, maxTitleLength } from './schemas.ts';

const optionalFields = {
  ...settingFields,
  questions_count: nullable(integerText(1, 10_000)),
  total_grade: nullable(decimal(totalGradeRange)),
  duration_minutes: nullable(durationMinutes),
};

/** A new quiz of a teacher, which is a draft unless it is published at once. */
export const newTeachersQuizSchema = z
  .object({ title: title(maxTitleLength), course_id: recordId(), ...optionalFields })
  .transform((fields) => {
    const { clearsFile: _, ...settings } = settingChanges(fields);
    return {
      title: fields.title,
      courseId: fields.course_id,
      questionsCount: fields.questions_count ?? null,
      totalGrade: fields.total_grade ?? null,
      durationMinutes: fields.duration_minutes ?? null,
      ...{ ...administratorsSettings, published: false, opensAt: null, closesAt: null },
      ...settings,
    };
  });

/** Changes to a quiz. An absent field leaves the property unchanged; null or an empty form field clears it. */
export const teachersQuizChangesSchema = z
  .object({
    title: title(maxTitleLength).optional(),
    course_id: recordId().optional(),
    ...optionalFields,
  })
  .transform((fields) => ({
    ...settingChanges(fields),
    ...withoutUndefined({
      title: fields.title,
      courseId: fields.course_id,
      questionsCount: fields.questions_count,
      totalGrade: fields.total_grade,
      durationMinutes: fields.duration_minutes,
    }),
  }));

/** Where a copy of a quiz goes. */
export const quizTargetSchema = z
  .object({ course_id: recordId(), title: title(maxTitleLength).optional() })
  .transform(({ course_id, title }) => ({ courseId: course_id, title }));
