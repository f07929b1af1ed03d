import { matchingClass } from './planQueries.ts';

/* Commits a plan. $1 is the import; $2 to $3 is the range of positions of one statement. */

const countRowsFrom = (from: string) => `SELECT count(*)::int AS count FROM import_rows r ${from}`;
const isPlanned =
  "r.import_id = $1 AND r.position BETWEEN $2 AND $3 AND r.action NOT IN ('ignored', 'error')";

/** Rows whose record was created, changed or deleted after planning. */
export const staleRows = [
  countRowsFrom(`
    LEFT JOIN course_sources s ON s.sourced_id = r.sourced_id
    LEFT JOIN courses c ON c.id = s.course_id AND c.deleted_at IS NULL
    WHERE ${isPlanned} AND r.file = 'courses' AND (
      coalesce(c.revision, 0) <> r.revision
      OR c.id IS DISTINCT FROM CASE WHEN r.action = 'create' THEN NULL ELSE r.course_id END)`),
  countRowsFrom(`${matchingClass}
    WHERE ${isPlanned} AND r.file = 'classes' AND (
      coalesce(k.revision, 0) <> r.revision
      OR k.id IS DISTINCT FROM CASE WHEN r.action = 'create' THEN NULL ELSE r.class_id END)`),
  countRowsFrom(`
    LEFT JOIN roster t ON t.course_id = r.course_id AND t.user_id = r.user_id
    WHERE ${isPlanned} AND r.file = 'enrollments' AND coalesce(t.revision, 0) <> r.revision`),
  countRowsFrom(`
    LEFT JOIN instructors t ON t.course_id = r.course_id AND t.user_id = r.user_id
    WHERE ${isPlanned} AND r.file = 'instructors' AND coalesce(t.revision, 0) <> r.revision`),
];

/**
 * New classes, enrollments and instructors whose course does not exist, even after the archive's courses were created.
 */
export const rowsWithoutCourse = countRowsFrom(`
  LEFT JOIN courses c ON c.id = r.course_id AND c.deleted_at IS NULL
  WHERE ${isPlanned} AND r.file IN ('classes', 'enrollments', 'instructors') AND r.action = 'create'
    AND c.id IS NULL`);

const courseColumns = 'id, title, description, created_at AS "createdAt", revision';
const classColumns = 'id, course_id AS "courseId", title, created_at AS "createdAt", revision';
const enrollmentColumns =
  'course_id AS "courseId", user_id AS "userId", is_enrolled AS "isEnrolled", paid, revision';

const rowsOf = (file: string, action: string) =>
  `import_rows r WHERE r.import_id = $1 AND r.position BETWEEN $2 AND $3 AND r.file = '${file}' AND r.action = '${action}'`;

export const createCourses = `
  INSERT INTO courses (id, title) OVERRIDING SYSTEM VALUE
  SELECT r.course_id, r.wanted->>'title' FROM ${rowsOf('courses', 'create')} ORDER BY r.position
  RETURNING ${courseColumns}`;
export const changeCourses = `
  UPDATE courses SET title = f.title, revision = courses.revision + 1
  FROM (SELECT r.course_id, r.revision, r.wanted->>'title' AS title FROM ${rowsOf('courses', 'update')}) AS f
  WHERE id = f.course_id AND courses.revision = f.revision
  RETURNING id, courses.title, description, created_at AS "createdAt", courses.revision`;
export const deleteCourses = `
  UPDATE courses SET deleted_at = now(), revision = courses.revision + 1
  FROM (SELECT r.course_id, r.revision FROM ${rowsOf('courses', 'delete')}) AS f
  WHERE id = f.course_id AND courses.revision = f.revision
  RETURNING id, title, description, created_at AS "createdAt", courses.revision`;

export const createClasses = `
  INSERT INTO classes (id, course_id, title) OVERRIDING SYSTEM VALUE
  SELECT r.class_id, r.course_id, r.wanted->>'title' FROM ${rowsOf('classes', 'create')} ORDER BY r.position
  RETURNING ${classColumns}`;
export const changeClasses = `
  UPDATE classes k SET title = f.title, revision = k.revision + 1
  FROM (SELECT r.class_id, r.revision, r.wanted->>'title' AS title FROM ${rowsOf('classes', 'update')}) AS f
  WHERE k.id = f.class_id AND k.revision = f.revision
  RETURNING id, course_id AS "courseId", k.title, created_at AS "createdAt", k.revision`;
export const deleteClasses = `
  UPDATE classes k SET deleted_at = now(), revision = k.revision + 1
  FROM (SELECT r.class_id, r.revision FROM ${rowsOf('classes', 'delete')}) AS f
  WHERE k.id = f.class_id AND k.revision = f.revision
  RETURNING id, course_id AS "courseId", title, created_at AS "createdAt", k.revision`;

// One condition per file, because each has its own partial index.
const joinsBy = (file: string) => `
  EXISTS (
    SELECT FROM import_rows e
    WHERE e.import_id = $1 AND e.file = '${file}' AND e.user_id = r.user_id AND e.action = 'create')`;

/** Locks people who join or leave courses before any of their other rows, as enrollments and erasures do. */
export const lockPeople = `
  SELECT FROM people WHERE user_id IN (
    SELECT user_id FROM import_rows
    WHERE import_id = $1 AND file IN ('enrollments', 'instructors') AND action IN ('create', 'delete'))
  ORDER BY user_id FOR NO KEY UPDATE`;

/**
 * Runs before people are added to courses: a concurrent deletion of an account is either visible here, or ends the new
 * enrollments and assignments (see domain/enroll.ts).
 */
export const upsertUsers = `
  INSERT INTO people (user_id, first_name, last_name, email, is_deleted, revision)
  SELECT DISTINCT ON (r.user_id) r.user_id, r.account->>'firstName', r.account->>'lastName',
    nullif(r.account->>'email', ''), false, (r.account->>'revision')::int
  FROM import_rows r
  WHERE r.import_id = $1 AND r.position BETWEEN $2 AND $3 AND r.file IN ('users', 'known')
    AND (${joinsBy('enrollments')} OR ${joinsBy('instructors')})
  ORDER BY r.user_id
  ON CONFLICT (user_id) DO UPDATE SET
    first_name = excluded.first_name, last_name = excluded.last_name, email = excluded.email,
    is_deleted = excluded.is_deleted, revision = excluded.revision
  WHERE people.revision < excluded.revision`;
/** New enrollments of deleted accounts, and new instructors whose role may have changed since planning. */
export const outdatedUsers = countRowsFrom(`
  JOIN people p ON p.user_id = r.user_id
  WHERE ${isPlanned} AND r.action = 'create' AND (
    r.file = 'enrollments' AND p.is_deleted
    OR r.file = 'instructors' AND (p.is_deleted OR p.revision > (r.account->>'revision')::int))`);

export const createEnrollments = `
  INSERT INTO roster AS t (course_id, user_id, is_enrolled, paid, revision)
  SELECT r.course_id, r.user_id, true, i.is_paid, 1
  FROM imports i, ${rowsOf('enrollments', 'create')} AND i.id = $1 ORDER BY r.course_id, r.user_id
  ON CONFLICT (course_id, user_id) DO UPDATE SET is_enrolled = true, paid = excluded.paid, revision = t.revision + 1
    WHERE NOT t.is_enrolled
  RETURNING ${enrollmentColumns}`;
/** Enrollments that a roster marks as paid. */
export const payEnrollments = `
  UPDATE roster t SET paid = true, revision = t.revision + 1
  FROM (SELECT r.course_id, r.user_id, r.revision FROM ${rowsOf('enrollments', 'update')}) AS f
  WHERE t.course_id = f.course_id AND t.user_id = f.user_id AND t.revision = f.revision AND t.is_enrolled
  RETURNING t.course_id AS "courseId", t.user_id AS "userId", t.is_enrolled AS "isEnrolled", t.paid, t.revision`;
export const endEnrollments = `
  UPDATE roster t SET is_enrolled = false, revision = t.revision + 1
  FROM (SELECT r.course_id, r.user_id, r.revision FROM ${rowsOf('enrollments', 'delete')}) AS f
  WHERE t.course_id = f.course_id AND t.user_id = f.user_id AND t.revision = f.revision AND t.is_enrolled
  RETURNING t.course_id AS "courseId", t.user_id AS "userId", t.is_enrolled AS "isEnrolled", t.paid, t.revision`;

const instructorColumns = 'course_id AS "courseId", user_id AS "userId", role, revision';
// A plan of the previous version has no roles.
export const assignInstructors = `
  INSERT INTO instructors AS t (course_id, user_id, account_revision, role)
  SELECT r.course_id, r.user_id, (r.account->>'revision')::int, coalesce(r.changes->'role'->>1, 'teacher')
  FROM ${rowsOf('instructors', 'create')} ORDER BY r.course_id, r.user_id
  ON CONFLICT (course_id, user_id) DO UPDATE
    SET is_assigned = true, role = excluded.role, account_revision = excluded.account_revision,
      revision = t.revision + 1
    WHERE NOT t.is_assigned
  RETURNING ${instructorColumns}`;
export const removeInstructors = `
  UPDATE instructors t SET is_assigned = false, revision = t.revision + 1
  FROM (SELECT r.course_id, r.user_id, r.revision FROM ${rowsOf('instructors', 'delete')}) AS f
  WHERE t.course_id = f.course_id AND t.user_id = f.user_id AND t.revision = f.revision AND t.is_assigned
  RETURNING t.course_id AS "courseId", t.user_id AS "userId", t.role, t.revision`;

/** Counts the rows with an action in the range. The result must equal the number of changed records. */
export const countRows = `
  SELECT count(*)::int AS count FROM import_rows r
  WHERE r.import_id = $1 AND r.position BETWEEN $2 AND $3 AND r.file = $4 AND r.action = $5`;

/** Saves the sourcedIds of the records for later imports. */
export const saveSourcedIds = [
  "DELETE FROM course_sources s USING import_rows r WHERE r.import_id = $1 AND r.file = 'courses' AND r.action = 'delete' AND s.sourced_id = r.sourced_id",
  "DELETE FROM class_sources s USING import_rows r WHERE r.import_id = $1 AND r.file = 'classes' AND r.action = 'delete' AND s.sourced_id = r.sourced_id",
  "DELETE FROM enrollment_sources s USING import_rows r WHERE r.import_id = $1 AND r.file IN ('enrollments', 'instructors') AND r.is_deleted AND s.sourced_id = r.sourced_id AND r.action IN ('delete', 'unchanged')",
  `INSERT INTO course_sources (sourced_id, course_id)
   SELECT sourced_id, course_id FROM import_rows WHERE import_id = $1 AND file = 'courses' AND action = 'create'
   ON CONFLICT (sourced_id) DO UPDATE SET course_id = excluded.course_id`,
  `INSERT INTO class_sources (sourced_id, class_id)
   SELECT sourced_id, class_id FROM import_rows WHERE import_id = $1 AND file = 'classes' AND action = 'create'
   ON CONFLICT (sourced_id) DO UPDATE SET class_id = excluded.class_id`,
  `INSERT INTO enrollment_sources AS s (sourced_id, course_id, user_id, is_teaching)
   SELECT sourced_id, course_id, user_id, file = 'instructors' FROM import_rows
   WHERE import_id = $1 AND file IN ('enrollments', 'instructors') AND NOT is_deleted AND sourced_id <> ''
     AND action IN ('create', 'unchanged')
   ON CONFLICT (sourced_id) DO UPDATE
     SET course_id = excluded.course_id, user_id = excluded.user_id, is_teaching = excluded.is_teaching
     WHERE (s.course_id, s.user_id, s.is_teaching)
       <> (excluded.course_id, excluded.user_id, excluded.is_teaching)`,
];

/** Locks the courses that change or whose number of students changes, ordered by id. */
export const lockCourses = `
  SELECT FROM courses WHERE id IN (
    SELECT course_id FROM import_rows
    WHERE import_id = $1 AND (file = 'courses' AND action IN ('update', 'delete')
      OR file = 'enrollments' AND action IN ('create', 'delete')))
  ORDER BY id FOR NO KEY UPDATE`;
export const updateStudentCounts = `
  UPDATE courses SET student_count = student_count + d.by
  FROM (
    SELECT course_id, sum(CASE action WHEN 'create' THEN 1 ELSE -1 END) AS by FROM import_rows
    WHERE import_id = $1 AND file = 'enrollments' AND action IN ('create', 'delete') GROUP BY 1) AS d
  WHERE id = d.course_id`;
export const updateCourseTotal = `
  UPDATE course_total SET total = total + (
    SELECT count(*) FILTER (WHERE action = 'create') - count(*) FILTER (WHERE action = 'delete')
    FROM import_rows WHERE import_id = $1 AND file = 'courses' AND action IN ('create', 'delete'))`;
