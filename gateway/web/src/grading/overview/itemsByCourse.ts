import type { GradingItem, Kind } from '../../shared/api/workTypes.ts';

interface CourseItems {
  id: number;
  title: string;
  items: { kind: Kind; item: GradingItem }[];
}

/**
 * Groups the items by course, unfinished ones first. The given courses come first. If the service that stores courses
 * did not respond, the courses that the items name are used.
 */
export function itemsByCourse(
  courses: { id: number; title: string }[],
  quizzes: GradingItem[],
  homeworks: GradingItem[],
): CourseItems[] {
  const byId = new Map<number, CourseItems>(courses.map(({ id, title }) => [id, { id, title, items: [] }]));
  const add = (kind: Kind, item: GradingItem) => {
    const course = byId.get(item.course_id) ?? {
      id: item.course_id,
      title: item.course_title ?? '–',
      items: [],
    };
    course.items.push({ kind, item });
    byId.set(item.course_id, course);
  };
  for (const item of quizzes) add('quizzes', item);
  for (const item of homeworks) add('homeworks', item);
  const isFinished = ({ item }: { item: GradingItem }) => Number(item.graded >= item.submissions);
  for (const { items } of byId.values()) items.sort((one, other) => isFinished(one) - isFinished(other));
  return [...byId.values()];
}
