import type { FileUrls } from '@gradeway/shared/files/fileRoutes';
import { type Clock, remainingSeconds } from '@gradeway/shared/http/timestamps';
import type { PersonalTimes } from '@gradeway/shared/items/personalTimes';
import { serializeOwnLateRule } from '@gradeway/shared/items/serializeLateRule';
import { serializeOwnLateness } from '@gradeway/shared/items/submittedWork';
import { serializeQuestions } from '@gradeway/shared/questions/listedQuestions';
import { periodAt } from '@gradeway/shared/submissions/submissionPeriod';
import type { Request } from 'express';
import type { ListedSubmission, ShownSubmission } from '../data/submissionQueries.ts';
import { periodOf } from '../domain/deadline.ts';
import type { AssignedClass, Homework, ListedHomework } from '../domain/homework.ts';
import { isReviewed } from '../domain/submission.ts';
import { encodeReader } from './assignmentReader.ts';
import type { Dependencies } from './dependencies.ts';

/** The time zone and the URLs of one response (D1, D6). */
export interface SerializerContext {
  clock: Clock;
  fileUrl: FileUrls;
  downloadUrl(submissionId: number): string;
}

export function serializerContext(
  { clock, fileUrls, publicUrl }: Dependencies,
  req: Request,
): SerializerContext {
  const downloads = `${publicUrl.origin(req)}/api/v3/assignments/download/`;
  return { clock, fileUrl: fileUrls(req), downloadUrl: (id) => `${downloads}${id}` };
}

/** The HomeworkObject of the specification, as the response for a single class. */
export const serializeHomework = (
  homework: Homework,
  submissions: ShownSubmission[],
  context: SerializerContext,
) => ({
  ...serializeAssignment(homework, context),
  submissions: submissions.map((submission) => serializeSubmission(submission, context)),
});

/** The HomeworkObject in a list, where a submission without files has no property `files`. */
export const serializeListedHomework = (
  homework: AssignedClass,
  submissions: ShownSubmission[],
  context: SerializerContext,
) => ({
  ...serializeAssignment(homework, context),
  submissions: submissions.map((submission) => {
    const object = serializeSubmission(submission, context);
    // JSON omits undefined.
    return object.files.length === 0 ? { ...object, files: undefined } : object;
  }),
});

/**
 * The HomeworkObject as a student sees it, with their own times and submission, and whether it is open (D63). The link to the
 * exercises is personal, so that it ends with the publication of the assignment.
 */
export function serializeOwnHomework(
  homework: ListedHomework,
  { studentId, times }: { studentId: number; times: PersonalTimes },
  own: ListedSubmission | undefined,
  context: SerializerContext,
) {
  const period = periodOf(times);
  const { state, secondsUntil } = periodAt(period, new Date());
  const reader = encodeReader({ classId: homework.id, studentId });
  const ofStudent = { ...context, fileUrl: (fileId: number) => context.fileUrl(fileId, reader) };
  return {
    ...serializeAssignment({ ...homework, closesAt: times.closesAt }, ofStudent),
    late_rule: serializeOwnLateRule(homework.late, times),
    questions: state === 'upcoming' ? null : serializeQuestions(homework.questions),
    submission: own ? serializeOwnSubmission(own, context) : null,
    state,
    seconds_until: secondsUntil,
    remaining_seconds: remainingSeconds(period.closesAt),
  };
}

/** A submission as its student sees it: the SubmissionObject, and whether it is late. */
export const serializeOwnSubmission = (submission: ListedSubmission, context: SerializerContext) => ({
  ...serializeSubmission(submission, context),
  ...serializeOwnLateness(submission, submission.rating),
});

/** The SubmissionObject of the specification. */
export function serializeSubmission(
  submission: ShownSubmission,
  { clock, fileUrl, downloadUrl }: SerializerContext,
) {
  const { id, files } = submission;
  return {
    id,
    student_id: submission.studentId,
    student_name: submission.studentName,
    student_email: submission.studentEmail,
    rating: submission.rating,
    instructor_comment: submission.comment,
    is_reviewed: isReviewed(submission),
    submitted_at: clock.format(submission.submittedAt),
    files: files.map((file) => ({ id: file.id, name: file.name, url: fileUrl(file.id) })),
    download_url: files.length === 0 ? null : downloadUrl(id),
  };
}

/** The HomeworkObject without its submissions. */
function serializeAssignment(homework: AssignedClass, { clock, fileUrl }: SerializerContext) {
  return {
    id: homework.id,
    title: homework.title,
    course_id: homework.courseId,
    course_title: homework.courseTitle,
    has_assignment: true,
    assignment_deadline: homework.closesAt && clock.formatDeadline(homework.closesAt),
    assignment_description: homework.description,
    assignment_file_url: homework.fileId === null ? null : fileUrl(homework.fileId),
    created_at: clock.format(homework.createdAt),
  };
}
