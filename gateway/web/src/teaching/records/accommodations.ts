import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../shared/api/apiError.ts';
import { api, responseOf } from '../../shared/api/client.ts';
import type { Accommodation } from './teachingTypes.ts';

export interface CourseStudentId {
  courseId: number;
  studentId: number;
}

const path = '/api/v3/grading/courses/{course_id}/accommodations/{student_id}';
const paramsOf = ({ courseId, studentId }: CourseStudentId) => ({
  path: { course_id: courseId, student_id: studentId },
});

/** The accommodation of a student in a course; null without one. */
export const accommodationQuery = (student: CourseStudentId) =>
  queryOptions({
    queryKey: ['course', student.courseId, 'accommodation', student.studentId],
    // The dialog must show the values that it would overwrite.
    gcTime: 0,
    staleTime: 0,
    queryFn: async ({ signal }): Promise<Accommodation | null> => {
      try {
        return (await responseOf(api.GET(path, { params: paramsOf(student), signal }))).body.data;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });

/** Replaces the accommodation. The factor is sent as it was typed, with a point, so that the server explains mistakes. */
export async function setAccommodation(student: CourseStudentId, form: FormData): Promise<void> {
  const typed = (name: string) => String(form.get(name) ?? '').trim();
  const body = { time_factor: typed('time_factor').replace(',', '.'), note: typed('note') || null };
  await responseOf(api.PUT(path, { params: paramsOf(student), body }));
}

export async function removeAccommodation(student: CourseStudentId): Promise<void> {
  await responseOf(api.DELETE(path, { params: paramsOf(student) }));
}
