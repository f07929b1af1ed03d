const courses = 50;

const csv = (columns: string[], rows: string[][]): string =>
  [columns, ...rows].map((row) => `${row.join(',')}\r\n`).join('');

/**
 * The files of a OneRoster archive with this many rows in total: half students, half their enrollments. `mark` makes
 * their ids and addresses unique.
 */
export function schoolCsv(mark: string, rows: number): Record<string, string> {
  const students = Array.from({ length: rows / 2 - courses }, (_, index) => index + 1);
  const offered = Array.from({ length: courses }, (_, index) => index + 1);
  return {
    'users.csv': csv(
      ['sourcedId', 'enabledUser', 'orgSourcedIds', 'role', 'username', 'givenName', 'familyName', 'email'],
      students.map((n) => [
        ...[`${mark}-u${n}`, 'true', 'school', 'student', `${mark}-${n}`, `First${n}`, `Last${n}`],
        `${mark}-${n}@school.example`,
      ]),
    ),
    'courses.csv': csv(
      ['sourcedId', 'title', 'orgSourcedId'],
      offered.map((n) => [`${mark}-c${n}`, `Course ${n}`, 'school']),
    ),
    'classes.csv': csv(
      ['sourcedId', 'title', 'courseSourcedId', 'classType', 'schoolSourcedId', 'termSourcedIds'],
      offered.map((n) => [`${mark}-k${n}`, `Class ${n}`, `${mark}-c${n}`, 'scheduled', 'school', 'term']),
    ),
    'enrollments.csv': csv(
      ['sourcedId', 'classSourcedId', 'schoolSourcedId', 'userSourcedId', 'role'],
      students.map((n) => [
        `${mark}-e${n}`,
        `${mark}-k${(n % courses) + 1}`,
        'school',
        `${mark}-u${n}`,
        'student',
      ]),
    ),
  };
}
