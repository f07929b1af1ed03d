/** The tabs of a course with their pages. `english` is the name. Graders are not allowed to read the team. */
export const courseTabs = {
  work: { english: 'Work', to: '/courses/$courseId', forTeachers: false },
  students: { english: 'Students', to: '/courses/$courseId/students', forTeachers: false },
  gradebook: { english: 'Gradebook', to: '/courses/$courseId/gradebook', forTeachers: false },
  team: { english: 'Team', to: '/courses/$courseId/team', forTeachers: true },
} as const;

export type CourseTab = keyof typeof courseTabs;

/** Returns the tab for a path such as `/courses/2/team`. */
export function tabOf(pathname: string): CourseTab {
  const last = pathname.split('/')[3] ?? '';
  return last in courseTabs ? (last as CourseTab) : 'work';
}
