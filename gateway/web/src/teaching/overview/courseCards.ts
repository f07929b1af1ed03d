import { momentOf } from '../../shared/time/moment.ts';
import type { OwnCourse, WorkItem } from '../records/teachingTypes.ts';

export interface CourseCard {
  id: number;
  title: string;
  isGrader: boolean;
  /** Submissions without a grade, in the services that respond. */
  toGrade: number;
  /** Whether an open item closes on the school's current day. */
  closesToday: boolean;
  /** The open items that close next. */
  due: WorkItem[];
  /** The oldest item with submissions to grade. */
  toContinue: WorkItem | undefined;
}

const shown = 3;

/**
 * Returns a card for each course. `now` is the server's time; without it, nothing is known to close today. `dayOf`
 * returns the school's calendar day at a time.
 */
export function courseCards(
  courses: OwnCourse[],
  items: WorkItem[],
  now: Date | undefined,
  dayOf: (moment: Date) => string,
): CourseCard[] {
  return courses.map(({ id, title, role, quizzes, homeworks }) => {
    const own = items.filter(({ course_id }) => course_id === id);
    // Open work whose closing time has passed accepts late work. Nobody waits for its end.
    const due = own
      .flatMap((item) => {
        const closes = item.closes_at === null ? undefined : momentOf(item.closes_at);
        return item.state === 'open' && closes && !(now && closes <= now) ? [{ item, closes }] : [];
      })
      .toSorted((one, other) => one.closes.getTime() - other.closes.getTime());
    return {
      ...{ id, title, isGrader: role === 'grader' },
      toGrade: ungraded(quizzes) + ungraded(homeworks),
      closesToday: now !== undefined && due.some(({ closes }) => dayOf(closes) === dayOf(now)),
      due: due.slice(0, shown).map(({ item }) => item),
      toContinue: own.findLast(({ submissions, graded }) => graded < submissions),
    };
  });
}

const ungraded = (counts: OwnCourse['quizzes']): number => (counts ? counts.submissions - counts.graded : 0);
