import { type Clock, remainingSeconds } from '@gradeway/shared/http/timestamps';
import type { Request } from 'express';
import type { ListedSubmission } from '../data/submissionLists.ts';
import type { Homework } from '../domain/homework.ts';
import { isReviewed } from '../domain/submission.ts';
import type { Dependencies } from './dependencies.ts';

/** What one answer writes its objects with: times in the application's zone, URLs that its client can reach (D6). */
interface Writing {
  clock: Clock;
  fileUrl(fileId: number): string;
  downloadUrl(submissionId: number): string;
}

export function writingFor({ clock, fileUrls, publicUrl }: Dependencies, req: Request): Writing {
  const downloads = `${publicUrl.origin(req)}/api/v3/assignments/download/`;
  return { clock, fileUrl: fileUrls(req), downloadUrl: (id) => `${downloads}${id}` };
}

/** The specification's HomeworkObject as a single one. */
export const homeworkView = (homework: Homework, submissions: ListedSubmission[], writing: Writing) => ({
  ...assignmentView(homework, writing),
  submissions: submissions.map((submission) => submissionView(submission, writing)),
});

/** The same in the list, where a submission without files has no `files` at all. */
export const listedHomeworkView = (
  homework: Homework,
  submissions: ListedSubmission[],
  writing: Writing,
) => ({
  ...assignmentView(homework, writing),
  submissions: submissions.map((submission) => {
    const { files, ...rest } = submissionView(submission, writing);
    return files.length === 0 ? rest : { ...rest, files };
  }),
});

/** The same as a student finds it, with the own submission and the seconds that are left until the deadline. */
export const ownHomeworkView = (homework: Homework, own: ListedSubmission | undefined, writing: Writing) => ({
  ...assignmentView(homework, writing),
  submission: own ? submissionView(own, writing) : null,
  remaining_seconds: remainingSeconds(homework.deadline),
});

/** The specification's SubmissionObject. */
export function submissionView(submission: ListedSubmission, { clock, fileUrl, downloadUrl }: Writing) {
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

function assignmentView(homework: Homework, { clock, fileUrl }: Writing) {
  return {
    id: homework.id,
    title: homework.title,
    course_id: homework.courseId,
    course_title: homework.courseTitle,
    has_assignment: true,
    assignment_deadline: homework.deadline && clock.formatDeadline(homework.deadline),
    assignment_description: homework.description,
    assignment_file_url: homework.fileId === null ? null : fileUrl(homework.fileId),
    created_at: clock.format(homework.createdAt),
  };
}
