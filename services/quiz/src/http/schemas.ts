import { gradeRange, totalGradeRange } from '@gradeway/shared/grading/schemas';
import type { Clock } from '@gradeway/shared/http/timestamps';
import {
  dateTime,
  decimal,
  fieldName,
  integerText,
  nullable,
  recordId,
  title,
} from '@gradeway/shared/http/validation';
import { withoutUndefined } from '@gradeway/shared/http/withoutUndefined';
import { administratorsSettings } from '@gradeway/shared/items/item';
import { z } from 'zod';

export const maxTitleLength = 255;
const maxMinutes = 43_200;

/** The grades that graders may give (D23). */
export const gradeFields = { grade: decimal(gradeRange), totalGrade: decimal(totalGradeRange) };
const minutesRange = { above: 0, most: maxMinutes };
export const durationMinutes = decimal({ ...minutesRange, decimals: 4 });

/** Specification 7. */
export const gradeSchema = z
  .object({ grade: gradeFields.grade, total_grade: gradeFields.totalGrade })
  .refine(({ grade, total_grade }) => grade <= total_grade, {
    path: ['grade'],
    error: (issue) => `The ${fieldName(issue.path)} may not be greater than the total grade.`,
  })
  .transform(({ grade, total_grade }) => ({ grade, totalGrade: total_grade }));

const optionalFields = (clock: Clock) => ({
  questions_count_of_quiz_pdf: nullable(integerText(1, 10_000)),
  total_grade_for_quiz_pdf: nullable(decimal(totalGradeRange)),
  opens_at: nullable(dateTime(clock)),
  closes_at: nullable(dateTime(clock)),
  duration_minutes: nullable(durationMinutes),
});

/** A new quiz. */
export const newQuizSchema = (clock: Clock) =>
  z
    .object({ title: title(maxTitleLength), course_id: recordId(), ...optionalFields(clock) })
    .transform((fields) => ({
      title: fields.title,
      courseId: fields.course_id,
      questionsCount: fields.questions_count_of_quiz_pdf ?? null,
      totalGrade: fields.total_grade_for_quiz_pdf ?? null,
      opensAt: fields.opens_at ?? null,
      closesAt: fields.closes_at ?? null,
      durationMinutes: fields.duration_minutes ?? null,
      ...administratorsSettings,
    }));

/** Changes to a quiz. An absent field leaves the property unchanged; null or an empty form field clears it. */
export const quizChangesSchema = (clock: Clock) =>
  z
    .object({
      title: title(maxTitleLength).optional(),
      course_id: recordId().optional(),
      ...optionalFields(clock),
    })
    .transform((fields) =>
      withoutUndefined({
        title: fields.title,
        courseId: fields.course_id,
        questionsCount: fields.questions_count_of_quiz_pdf,
        totalGrade: fields.total_grade_for_quiz_pdf,
        opensAt: fields.opens_at,
        closesAt: fields.closes_at,
        durationMinutes: fields.duration_minutes,
      }),
    );

/** The fields of specification 9 that decide whether a student may upload at all. */
export const accessSchema = z
  .object({ course_id: recordId(), quiz_id: recordId() })
  .transform((fields) => ({ courseId: fields.course_id, quizId: fields.quiz_id, classId: null }));

/** Specification 9, without the file. */
export const answerSheetSchema = (clock: Clock) =>
  z
    .object({
      course_id: recordId(),
      quiz_id: recordId(),
      class_id: nullable(recordId()),
      duration: decimal(minutesRange),
      start_at: dateTime(clock),
    })
    .transform((fields) => ({
      courseId: fields.course_id,
      quizId: fields.quiz_id,
      classId: fields.class_id ?? null,
      durationMinutes: fields.duration,
      startAt: fields.start_at,
    }));
