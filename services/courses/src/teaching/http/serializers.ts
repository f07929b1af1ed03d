import { formatUtc } from '@gradeway/shared/http/timestamps';
import { deletedUserName } from '@gradeway/shared/projections/deletedUserName';
import { courseStudentView } from '../../http/serializers.ts';
import type { NamedAccommodation } from '../data/accommodationRepository.ts';
import type { ListedInstructor } from '../data/instructorRepository.ts';
import type { CountedCourse } from '../domain/addSubmissionCounts.ts';
import type { Comment } from '../domain/comment.ts';

export const gradingCourseView = ({ id, title, role, students, quizzes, homeworks }: CountedCourse) => ({
  id,
  title,
  role,
  students,
  quizzes,
  homeworks,
});

export const instructorView = (instructor: ListedInstructor) => ({
  ...courseStudentView(instructor),
  role: instructor.role,
});

export const accommodationView = (accommodation: NamedAccommodation) => ({
  student: {
    id: accommodation.studentId,
    name: accommodation.studentName ?? deletedUserName,
    email: accommodation.studentEmail ?? '',
  },
  time_factor: accommodation.timePercent / 100,
  note: accommodation.note,
  changed_by: { id: accommodation.changedBy, name: accommodation.changedByName ?? deletedUserName },
  changed_at: formatUtc(accommodation.changedAt),
});

export const commentView = ({ id, text, courseId, uses, updatedAt }: Comment) => ({
  id,
  text,
  course_id: courseId,
  uses,
  updated_at: formatUtc(updatedAt),
});
