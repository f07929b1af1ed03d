import { totalGradeRange } from '@gradeway/shared/grading/schemas';
import { decimal, integerText, nullable, recordId, title } from '@gradeway/shared/http/validation';
import { withoutUndefined } from '@gradeway/shared/http/withoutUndefined';
import { administratorsSettings } from '@gradeway/shared/items/item';
import { settingChanges, settingFields } from '@gradeway/shared/items/itemSchema';
import { z } from 'zod';
import { durationMinutes, maxTitleLength } from './schemas.ts';

const settings = {
  ...settingFields,
  questions_count: nullable(integerText(1, 10_000)),
  total_grade: nullable(decimal(totalGradeRange)),
  duration_minutes: nullable(durationMinutes),
};

export const newQuizFields = z.object({ title: title(maxTitleLength), course_id: recordId(), ...settings });
export const quizFields = newQuizFields.partial({ title: true, course_id: true });
export const quizTargetFields = newQuizFields.pick({ title: true, course_id: true }).partial({ title: true });

/** A teacher's new quiz, a draft unless it is published immediately. */
export const newTeachersQuizSchema = newQuizFields.transform((fields) => {
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
export const teachersQuizChangesSchema = quizFields.transform((fields) => ({
  ...settingChanges(fields),
  ...withoutUndefined({
    title: fields.title,
    courseId: fields.course_id,
    questionsCount: fields.questions_count,
    totalGrade: fields.total_grade,
    durationMinutes: fields.duration_minutes,
  }),
}));

/** The destination of a copied quiz. */
export const quizTargetSchema = quizTargetFields.transform(({ course_id, title }) => ({
  courseId: course_id,
  title,
}));
