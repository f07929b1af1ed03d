/*
 * How the rows of an archive become a plan. $1 is the import; a range of positions ($2 to $3) is one statement's share.
 * A row that has an action already is decided: it is bad, or ignored.
 */

export const insertRows = `
  INSERT INTO import_rows (import_id, position, file, line, sourced_id, is_deleted, wanted, action, messages)
  SELECT $1, position, file, line, "sourcedId", "isDeleted", wanted, action, messages
  FROM jsonb_to_recordset($2::jsonb) AS rows (position int, file text, line int, "sourcedId" text,
    "isDeleted" boolean, wanted jsonb, action text, messages jsonb)`;

const refuseTwins = (key: (row: string) => string, what: string, condition: string) => `
  UPDATE import_rows r SET action = 'error', messages = r.messages || to_jsonb(
    format('The ${what} %s is on several lines of %s.csv: %s.', d.key, d.file, array_to_string(d.lines[1:10], ', ')))
  FROM (
    SELECT file, ${key('i')} AS key, array_agg(line ORDER BY line) AS lines FROM import_rows i
    WHERE import_id = $1 AND file <> 'known' AND ${condition} GROUP BY 1, 2 HAVING count(*) > 1) AS d
  WHERE r.import_id = $1 AND r.file = d.file AND ${key('r')} = d.key`;

/** Marks both, or all, of several rows that say something of the same thing. */
export const markTwins = [
  refuseTwins((row) => `${row}.sourced_id`, 'sourcedId', "sourced_id <> ''"),
  refuseTwins(
    (row) => `lower(${row}.wanted->>'email')`,
    'email',
    "file = 'users' AND wanted->>'email' IS NOT NULL",
  ),
  refuseTwins((row) => `${row}.wanted->>'mobile'`, 'sms', "file = 'users' AND wanted->>'mobile' IS NOT NULL"),
];

const nothingToDelete = (what: string) => `
  CASE WHEN f.is_deleted AND f.id IS NULL
    THEN r.messages || to_jsonb('There is no ${what} of this sourcedId: there is nothing to delete.'::text)
    ELSE r.messages END`;
const decided = `
  CASE
    WHEN f.is_deleted THEN CASE WHEN f.id IS NULL THEN 'unchanged' ELSE 'delete' END
    WHEN f.id IS NULL THEN 'create'
    WHEN f.title <> f.present THEN 'update'
    ELSE 'unchanged'
  END`;
const titleChange = `
  CASE WHEN f.is_deleted OR f.title = f.present THEN '{}'
    ELSE jsonb_build_object('title', jsonb_build_array(f.present, f.title)) END`;
const idOf = (table: string) => `
  CASE WHEN f.id IS NULL AND NOT f.is_deleted THEN nextval(pg_get_serial_sequence('${table}', 'id')) ELSE f.id END`;

export const planCourses = `
  UPDATE import_rows r SET
    action = ${decided}, changes = ${titleChange}, course_id = ${idOf('courses')},
    revision = coalesce(f.revision, 0), messages = ${nothingToDelete('course')}
  FROM (
    SELECT r.position, r.is_deleted, r.wanted->>'title' AS title, c.id, c.title AS present, c.revision
    FROM import_rows r
    LEFT JOIN course_sources s ON s.sourced_id = r.sourced_id
    LEFT JOIN courses c ON c.id = s.course_id AND c.deleted_at IS NULL
    WHERE r.import_id = $1 AND r.file = 'courses' AND r.action IS NULL AND r.position BETWEEN $2 AND $3) AS f
  WHERE r.import_id = $1 AND r.position = f.position AND r.position BETWEEN $2 AND $3`;

/** The course that a row names: of this archive, or of an earlier one. A class of a deleted course is gone with it. */
const namedCourse = `
  LEFT JOIN import_rows cr
    ON cr.import_id = r.import_id AND cr.file = 'courses' AND cr.sourced_id = r.wanted->>'courseSourcedId'
  LEFT JOIN course_sources cs ON cs.sourced_id = r.wanted->>'courseSourcedId'
  LEFT JOIN courses c ON c.id = cs.course_id AND c.deleted_at IS NULL`;
export const ownClass = `
  LEFT JOIN class_sources s ON s.sourced_id = r.sourced_id
  LEFT JOIN classes k ON k.id = s.class_id AND k.deleted_at IS NULL
    AND (r.is_deleted OR EXISTS (SELECT FROM courses WHERE id = k.course_id AND deleted_at IS NULL))`;

export const planClasses = `
  UPDATE import_rows r SET
    action = CASE WHEN f.problem IS NULL THEN ${decided} ELSE 'error' END,
    changes = CASE WHEN f.problem IS NULL THEN ${titleChange} ELSE '{}' END,
    class_id = CASE WHEN f.problem IS NULL THEN ${idOf('classes')} END,
    course_id = f.course_id,
    revision = coalesce(f.revision, 0),
    messages = CASE WHEN f.problem IS NULL THEN ${nothingToDelete('class')}
      ELSE r.messages || to_jsonb(f.problem) END
  FROM (
    SELECT r.position, r.is_deleted, r.wanted->>'title' AS title, k.id, k.title AS present, k.revision,
      coalesce(k.course_id, cr.course_id, c.id) AS course_id,
      CASE
        WHEN r.is_deleted THEN NULL
        WHEN cr.action = 'error' THEN format('The courseSourcedId names line %s of courses.csv, which is wrong.', cr.line)
        WHEN cr.is_deleted THEN format('The courseSourcedId names line %s of courses.csv, which deletes it.', cr.line)
        WHEN coalesce(cr.course_id, c.id) IS NULL
          THEN 'The courseSourcedId names no course, neither of courses.csv nor of an earlier import.'
        WHEN k.course_id <> coalesce(cr.course_id, c.id)
          THEN 'A class does not move to another course: give it another sourcedId.'
      END AS problem
    FROM import_rows r ${ownClass} ${namedCourse}
    WHERE r.import_id = $1 AND r.file = 'classes' AND r.action IS NULL AND r.position BETWEEN $2 AND $3) AS f
  WHERE r.import_id = $1 AND r.position = f.position AND r.position BETWEEN $2 AND $3`;

export const undecidedUsers = `
  SELECT position, line, sourced_id AS "sourcedId", is_deleted AS "isDeleted", wanted FROM import_rows
  WHERE import_id = $1 AND file = 'users' AND action IS NULL AND position BETWEEN $2 AND $3
  ORDER BY position`;

export const decideUsers = `
  UPDATE import_rows r SET action = d.action, changes = d.changes, messages = r.messages || d.messages,
    user_id = (d.account->>'userId')::int, account = d.account
  FROM jsonb_to_recordset($2::jsonb) AS d (position int, action text, changes jsonb, messages jsonb, account jsonb)
  WHERE r.import_id = $1 AND r.position = d.position AND r.position BETWEEN $3 AND $4`;

/** Names of accounts that enrollments refer to and users.csv does not have, in order, after the last one. */
export const unknownUsers = `
  SELECT DISTINCT r.wanted->>'userSourcedId' AS name FROM import_rows r
  WHERE r.import_id = $1 AND r.file = 'enrollments' AND r.action IS NULL AND r.wanted->>'userSourcedId' > $2
    AND NOT EXISTS (
      SELECT FROM import_rows u
      WHERE u.import_id = $1 AND u.file = 'users' AND u.sourced_id = r.wanted->>'userSourcedId')
  ORDER BY 1 LIMIT $3`;

export const insertKnown = `
  INSERT INTO import_rows (import_id, position, file, line, sourced_id, is_deleted, wanted, user_id, account)
  SELECT $1, $3 + (place)::int, 'known', 0, one->>'sourcedId', false, '{}', (one->'account'->>'userId')::int, one->'account'
  FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS known (one, place)`;

/** Which course and which account an enrollment connects. */
export const connectEnrollments = `
  UPDATE import_rows r SET
    course_id = f.course_id, user_id = f.user_id,
    action = CASE
      WHEN f.problem IS NOT NULL THEN 'error'
      WHEN f.course_id IS NULL OR f.user_id IS NULL THEN 'unchanged'
    END,
    messages = CASE
      WHEN f.problem IS NOT NULL THEN r.messages || to_jsonb(f.problem)
      WHEN f.course_id IS NULL OR f.user_id IS NULL
        THEN r.messages || to_jsonb('There is no such enrollment: there is nothing to end.'::text)
      ELSE r.messages
    END
  FROM (
    SELECT r.position, coalesce(kr.course_id, k.course_id, es.course_id) AS course_id,
      coalesce(ur.user_id, pr.user_id, es.user_id) AS user_id,
      CASE
        WHEN r.is_deleted THEN NULL
        WHEN kr.action = 'error' THEN format('The classSourcedId names line %s of classes.csv, which is wrong.', kr.line)
        WHEN kr.is_deleted THEN format('The classSourcedId names line %s of classes.csv, which deletes it.', kr.line)
        WHEN coalesce(kr.course_id, k.course_id) IS NULL
          THEN 'The classSourcedId names no class, neither of classes.csv nor of an earlier import.'
        WHEN EXISTS (
          SELECT FROM course_sources s JOIN import_rows d
            ON d.import_id = r.import_id AND d.file = 'courses' AND d.sourced_id = s.sourced_id AND d.is_deleted
          WHERE s.course_id = coalesce(kr.course_id, k.course_id)) THEN 'The course is deleted by courses.csv.'
        WHEN ur.action = 'error' THEN format('The userSourcedId names line %s of users.csv, which is wrong.', ur.line)
        WHEN ur.action = 'ignored' THEN format('The userSourcedId names line %s of users.csv, which is ignored.', ur.line)
        WHEN ur.is_deleted THEN format('The userSourcedId names line %s of users.csv, which deletes it.', ur.line)
        WHEN coalesce(ur.user_id, pr.user_id) IS NULL
          THEN 'The userSourcedId names nobody, neither of users.csv nor of an earlier import.'
        WHEN (es.course_id, es.user_id)
            <> (coalesce(kr.course_id, k.course_id), coalesce(ur.user_id, pr.user_id)) AND old.is_enrolled
          THEN 'The sourcedId is that of another enrollment, which must be ended first.'
      END AS problem
    FROM import_rows r
    LEFT JOIN import_rows kr
      ON kr.import_id = r.import_id AND kr.file = 'classes' AND kr.sourced_id = r.wanted->>'classSourcedId'
    LEFT JOIN class_sources ks ON ks.sourced_id = r.wanted->>'classSourcedId'
    LEFT JOIN classes k ON k.id = ks.class_id AND k.deleted_at IS NULL
      AND EXISTS (SELECT FROM courses WHERE id = k.course_id AND deleted_at IS NULL)
    LEFT JOIN import_rows ur
      ON ur.import_id = r.import_id AND ur.file = 'users' AND ur.sourced_id = r.wanted->>'userSourcedId'
    LEFT JOIN import_rows pr
      ON pr.import_id = r.import_id AND pr.file = 'known' AND pr.sourced_id = r.wanted->>'userSourcedId'
    LEFT JOIN enrollment_sources es ON es.sourced_id = r.sourced_id
    LEFT JOIN courses oc ON oc.id = es.course_id AND oc.deleted_at IS NULL
    LEFT JOIN roster old ON old.course_id = oc.id AND old.user_id = es.user_id AND old.is_enrolled
    WHERE r.import_id = $1 AND r.file = 'enrollments' AND r.action IS NULL
      AND r.position BETWEEN $2 AND $3) AS f
  WHERE r.import_id = $1 AND r.position = f.position AND r.position BETWEEN $2 AND $3`;

/**
 * An enrollment is one of a course, whatever class of it is meant: the first row that wants it makes it, and it ends
 * when no row and no earlier import wants it any more. What was paid stays as it is.
 */
export const planEnrollments = `
  UPDATE import_rows r SET revision = f.revision, action = f.action,
    changes = CASE f.action
      WHEN 'create' THEN jsonb_build_object('enrolled', '[false, true]'::jsonb, 'paid', jsonb_build_array(f.was_paid, $4::boolean))
      WHEN 'delete' THEN '{"enrolled": [true, false]}' ELSE '{}' END,
    messages = CASE
      WHEN f.action = 'unchanged' AND NOT f.is_deleted AND NOT f.is_enrolled
        THEN r.messages || to_jsonb(format('Line %s enrolls the same person in the same course.', f.first_line))
      WHEN f.action = 'unchanged' AND f.is_deleted AND f.is_kept
        THEN r.messages || to_jsonb('Another class of the course keeps the enrollment.'::text)
      ELSE r.messages END
  FROM (
    SELECT *, CASE
        WHEN is_deleted THEN CASE WHEN is_kept OR NOT is_enrolled OR line <> first_line THEN 'unchanged' ELSE 'delete' END
        WHEN is_enrolled OR line <> first_line THEN 'unchanged'
        ELSE 'create'
      END AS action
    FROM (
      SELECT r.position, r.line, r.is_deleted, coalesce(t.revision, 0) AS revision,
        coalesce(t.is_enrolled, false) AS is_enrolled, CASE WHEN t.is_enrolled THEN t.paid END AS was_paid,
        same.first_line,
        same.is_wanted OR EXISTS (
          SELECT FROM enrollment_sources es
          WHERE r.is_deleted AND es.course_id = r.course_id AND es.user_id = r.user_id AND NOT EXISTS (
            SELECT FROM import_rows x WHERE x.import_id = $1 AND x.file = 'enrollments'
              AND x.sourced_id = es.sourced_id AND x.is_deleted)) AS is_kept
      FROM import_rows r
      LEFT JOIN roster t ON t.course_id = r.course_id AND t.user_id = r.user_id
      CROSS JOIN LATERAL (
        SELECT min(s.line) FILTER (WHERE s.is_deleted = r.is_deleted) AS first_line,
          bool_or(NOT s.is_deleted) AS is_wanted
        FROM import_rows s
        WHERE s.import_id = $1 AND s.file = 'enrollments' AND s.user_id = r.user_id AND s.course_id = r.course_id
          AND coalesce(s.action, '') NOT IN ('error', 'ignored')) AS same
      WHERE r.import_id = $1 AND r.file = 'enrollments' AND r.action IS NULL
        AND r.position BETWEEN $2 AND $3) AS pairs) AS f
  WHERE r.import_id = $1 AND r.position = f.position AND r.position BETWEEN $2 AND $3`;
