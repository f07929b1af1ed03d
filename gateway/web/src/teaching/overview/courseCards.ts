import type { OwnCourse, WorkItem } from '../records/teachingTypes.ts';

export interface CourseCard {
  id: number;
  title: string;
  isGrader: boolean;
  /** Submissions without a grade, as far as the services respond. */
  toGrade: number;
  /** Whether an open item closes on the school's current day. */
  closesToday: boolean;
  /** The open items that close next. */
  due: WorkItem[];
  /** The oldest item with submissions to grade. */
  toContinue: WorkItem | undefined;
}

const shown = 3;

/** Returns a card for each course. `dayOf` is the school's day of a time; `today` is the server's current day. */
export function courseCards(
  courses: OwnCourse[],
  items: WorkItem[],
  today: string | undefined,
  dayOf: (time: string) => string,
): CourseCard[] {
  return courses.map(({ id, title, role, quizzes, homeworks }) => {
    const own = items.filter(({ course_id }) => course_id === id);
    const open = own
      .filter(({ state, closes_at }) => state === 'open' && closes_at !== null)
      .toSorted((one, other) => String(one.closes_at).localeCompare(String(other.closes_at)));
    return {
      ...{ id, title, isGrader: role === 'grader' },
      toGrade: ungraded(quizzes) + ungraded(homeworks),
      closesToday: open.some(({ closes_at }) => closes_at !== null && dayOf(closes_at) === today),
      due: open.slice(0, shown),
      toContinue: own.findLast(({ submissions, graded }) => graded < submissions),
    };
  });
}

const ungraded = (counts: OwnCourse['quizzes']): number => (counts ? counts.submissions - counts.graded : 0);
