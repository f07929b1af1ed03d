import { formatUtc } from '@gradeway/shared/http/timestamps';
import type { CountedCourse } from '../domain/addSubmissionCounts.ts';
import type { Comment } from '../domain/comment.ts';

export const gradingCourseView = ({ id, title, students, quizzes, homeworks }: CountedCourse) => ({
  id,
  title,
  students,
  quizzes,
  homeworks,
});

export const commentView = ({ id, text, courseId, uses, updatedAt }: Comment) => ({
  id,
  text,
  course_id: courseId,
  uses,
  updated_at: formatUtc(updatedAt),
});
