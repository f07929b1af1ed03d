import type { EventData } from '@gradeway/shared/events/catalog';
import type { AllowanceState, ItemState } from '@gradeway/shared/events/items';

/** The data of an event about an item: published, with visible grades, without a closing time. */
export const itemState = (change: Partial<ItemState>): ItemState => ({
  id: 1,
  course_id: 1,
  title: 'Item',
  total_grade: 20,
  created_at: '2026-03-01T08:00:00.000Z',
  published: true,
  opens_at: null,
  closes_at: null,
  late: null,
  released_at: '2026-03-01T08:00:00.000Z',
  anonymous: false,
  is_deleted: false,
  revision: 1,
  ...change,
});

/** The data of an event about an allowance without an excuse. */
export const allowanceState = (change: Partial<AllowanceState>): AllowanceState => ({
  item_id: 1,
  course_id: 1,
  student_id: 1,
  closes_at: null,
  extra_minutes: 0,
  excused: false,
  is_removed: false,
  revision: 1,
  ...change,
});

type QuizTimes = EventData['quiz.submission.lateness.changed.v1'];

/** The data of an event about the upload of an answer sheet. */
export const quizSubmitted = (change: Partial<QuizTimes>): QuizTimes => ({
  submission_id: 1,
  quiz_id: 1,
  course_id: 1,
  student_id: 1,
  submitted_at: '2026-03-02T09:00:00.000Z',
  late_waived: false,
  state_revision: 1,
  ...change,
});

type HomeworkTimes = EventData['homework.submission.lateness.changed.v1'];

/** The data of an event about an upload of homework. */
export const homeworkSubmitted = (change: Partial<HomeworkTimes>): HomeworkTimes => ({
  submission_id: 1,
  class_id: 1,
  course_id: 1,
  student_id: 1,
  submitted_at: '2026-03-02T09:00:00.000Z',
  late_waived: false,
  state_revision: 1,
  ...change,
});
