import { z } from 'zod';

/** An event that webhooks deliver. */
interface PublicEvent {
  /** What has happened, as a sentence. */
  summary: string;
  /** Its `data`. Receivers ignore fields that they do not know. */
  data: z.ZodType;
}

const id = z.int();
const time = z.string().meta({ format: 'date-time' });
const revision = z
  .int()
  .describe('Increases with each change of the record; ignore a state older than your own.');
// Fields that events of earlier versions lack are optional.

const homeworkSubmission = z.object({ submission_id: id, class_id: id, course_id: id, student_id: id });
const quizSubmission = z.object({ submission_id: id, quiz_id: id, course_id: id, student_id: id });

/** When the work of a submission was received, and whether it can be late. */
export const submissionTimes = z.object({
  submitted_at: time,
  late_waived: z
    .boolean()
    .describe('Whether a teacher has waived the penalty, or handed in for the student.'),
  state_revision: z.int().describe('Increases with each change to these fields.'),
});
const submitted = {
  submitted_at: submissionTimes.shape.submitted_at.exactOptional(),
  late_waived: submissionTimes.shape.late_waived.exactOptional(),
  state_revision: submissionTimes.shape.state_revision.exactOptional(),
};

const graded = {
  title: z.string(),
  comment: z.string().nullable(),
  graded_by: id,
  graded_at: time,
  visible_from: time
    .nullable()
    .exactOptional()
    .describe('The time from which the student sees the grade; null while it is hidden.'),
  item_revision: z.int().exactOptional().describe('The revision of the item that determines `visible_from`.'),
  revision,
};

/** An item that became visible to students. */
const publishedItem = z.object({
  item_id: id.describe('Id of the quiz or the class.'),
  course_id: id,
  title: z.string(),
  opens_at: time.nullable(),
  closes_at: time.nullable(),
});

/** An item whose grades were released; `released_at` is null when they were withheld again. */
const releasedGrades = z.object({
  item_id: id.describe('Id of the quiz or the class.'),
  course_id: id,
  released_at: time.nullable(),
});

/** A request to review a grading. */
const review = {
  review_id: id,
  question_id: id.nullable().describe('Null for the whole submission.'),
  revision,
};

export const user = z.object({
  user_id: id,
  first_name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  mobile: z.string().nullable().exactOptional(),
  role: z.string().describe('`service` for a service account.'),
  is_blocked: z.boolean(),
  revision,
});

export const course = z.object({
  id,
  title: z.string(),
  description: z.string().nullable(),
  created_at: time,
  revision,
});

export const classOfCourse = z.object({ id, course_id: id, title: z.string(), created_at: time, revision });

export const enrollment = z.object({ course_id: id, user_id: id, paid: z.boolean(), revision });

/** An instructor of a course, assigned or removed. */
export const instructor = z.object({
  course_id: id,
  user_id: id,
  role: z
    .enum(['teacher', 'grader'])
    .exactOptional()
    .describe('Absent from removals, and from events of earlier versions, whose instructors are teachers.'),
  revision,
});

/**
 * The events that webhooks deliver, by type: the source of their types in the code (catalog.ts), of `webhooks` in the
 * OpenAPI document and of the AsyncAPI document.
 */
export const publicEvents = {
  'homework.submission.submitted.v1': {
    summary: 'Homework was submitted',
    data: homeworkSubmission.extend(submitted),
  },
  'homework.submission.graded.v1': {
    summary: 'Homework was graded',
    data: homeworkSubmission.extend({ rating: z.int(), ...graded }),
  },
  'homework.submission.ungraded.v1': {
    summary: 'The grading of homework was undone',
    data: homeworkSubmission.extend({ revision }),
  },
  'homework.published.v1': { summary: 'An assignment was published', data: publishedItem },
  'homework.grades.released.v1': {
    summary: 'The grades of an assignment were released',
    data: releasedGrades,
  },
  'homework.grades.withheld.v1': { summary: 'The grades of an assignment were hidden', data: releasedGrades },
  'homework.review.opened.v1': {
    summary: 'A review of the grading of homework was opened',
    data: homeworkSubmission.extend(review),
  },
  'homework.review.closed.v1': {
    summary: 'A review of the grading of homework was closed',
    data: homeworkSubmission.extend(review),
  },
  'quiz.submission.submitted.v1': {
    summary: 'An answer sheet was submitted',
    data: quizSubmission.extend(submitted),
  },
  'quiz.submission.graded.v1': {
    summary: 'An answer sheet was graded',
    data: quizSubmission.extend({ grade: z.number(), total_grade: z.number(), ...graded }),
  },
  'quiz.submission.ungraded.v1': {
    summary: 'The grading of an answer sheet was undone',
    data: quizSubmission.extend({ revision }),
  },
  'quiz.published.v1': { summary: 'A quiz was published', data: publishedItem },
  'quiz.grades.released.v1': { summary: 'The grades of a quiz were released', data: releasedGrades },
  'quiz.grades.withheld.v1': { summary: 'The grades of a quiz were hidden', data: releasedGrades },
  'quiz.review.opened.v1': {
    summary: 'A review of the grading of an answer sheet was opened',
    data: quizSubmission.extend(review),
  },
  'quiz.review.closed.v1': {
    summary: 'A review of the grading of an answer sheet was closed',
    data: quizSubmission.extend(review),
  },
  'user.changed.v1': { summary: 'An account was created or changed', data: user },
  'user.deleted.v1': { summary: 'An account was deleted', data: user },
  'course.changed.v1': { summary: 'A course was created or changed', data: course },
  'course.deleted.v1': { summary: 'A course was deleted', data: course },
  'class.changed.v1': { summary: 'A class was created or changed', data: classOfCourse },
  'class.deleted.v1': { summary: 'A class was deleted', data: classOfCourse },
  'enrollment.changed.v1': { summary: 'A student was enrolled or has paid', data: enrollment },
  'enrollment.deleted.v1': { summary: 'An enrollment ended', data: enrollment },
  'course.instructor.assigned.v1': { summary: 'An instructor was assigned to a course', data: instructor },
  'course.instructor.removed.v1': { summary: 'An instructor was removed from a course', data: instructor },
} satisfies Record<`${string}.v${number}`, PublicEvent>;

/** The data of the events that webhooks deliver, by type. */
export type PublicEventData = {
  [Type in keyof typeof publicEvents]: z.infer<(typeof publicEvents)[Type]['data']>;
};

/** The JSON schema of an event's data. It permits other fields, which later versions may add. */
export function dataSchemaOf(type: keyof PublicEventData): Record<string, unknown> {
  const { $schema: _, ...schema } = z.toJSONSchema(publicEvents[type].data, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.type !== 'integer') return;
      // The range of safe integers, which zod adds.
      delete jsonSchema.minimum;
      delete jsonSchema.maximum;
    },
  });
  return schema;
}
