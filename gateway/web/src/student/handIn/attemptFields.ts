import type { Quiz } from '../records/studentTypes.ts';

/** The longest that the interface accepts, in minutes; for a quiz that limits no duration. */
const longest = 43_200;

/**
 * The start that the form claims for an attempt: the one recorded when the questions were opened, or, for a quiz without
 * questions to open, the moment of handing in.
 */
export function attemptFields(quiz: Quiz, serverNow: Date): Record<string, string> {
  const { id, course_id, started_at, duration_minutes } = quiz;
  return {
    course_id: String(course_id),
    quiz_id: String(id),
    duration: String(duration_minutes ?? longest),
    start_at: started_at ? started_at.replace(' ', 'T') : `${serverNow.toISOString().slice(0, 19)}Z`,
  };
}
