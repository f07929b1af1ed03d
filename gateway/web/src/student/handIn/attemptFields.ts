import type { Quiz } from '../records/studentTypes.ts';

/** The API's maximum in minutes, for a quiz without a time limit. */
const maxMinutes = 43_200;

/**
 * Returns the start time that the form reports for an attempt: the time recorded when the questions were opened. For a
 * quiz without questions to open, it is the time of handing in.
 */
export function attemptFields(quiz: Quiz, serverNow: Date): Record<string, string> {
  const { id, course_id, started_at, duration_minutes } = quiz;
  return {
    course_id: String(course_id),
    quiz_id: String(id),
    duration: String(duration_minutes ?? maxMinutes),
    start_at: started_at ? started_at.replace(' ', 'T') : `${serverNow.toISOString().slice(0, 19)}Z`,
  };
}
