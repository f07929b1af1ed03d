/*
 * Plans the rows of an archive. $1 is the import, $2 to $3 the range of positions of one statement. Rows that already
 * have an action (`error` or `ignored`) are skipped.
 */

export const insertRows = `
  INSERT INTO import_rows (import_id, position, file, line, sourced_id, is_deleted, wanted, action, messages)
  SELECT $1, position, file, line, "sourcedId", "isDeleted", wanted, action, messages
  FROM jsonb_to_recordset($2::jsonb) AS rows (position int, file text, line int, "sourcedId" text,
    "isDeleted" boolean, wanted jsonb, action text, messages jsonb)`;

const rejectDuplicatesBy = (key: (row: string) => string, what: string, condition: string) => `
  UPDATE import_rows r SET action = 'error', messages = r.messages || to_jsonb(
    format('The ${what} %s is on several lines of %s.csv: %s.', d.key, d.file, array_to_string(d.lines[1:10], ', ')))
  FROM (
    SELECT file, ${key('i')} AS key, array_agg(line ORDER BY line) AS lines FROM import_rows i
    WHERE import_id = $1 AND file <> 'known' AND ${condition} GROUP BY 1, 2 HAVING count(*) > 1) AS d
  WHERE r.import_id = $1 AND r.file = d.file AND ${key('r')} = d.key`;

/** Marks all rows that name the same record as errors. */
export const rejectDuplicates = [
  rejectDuplicatesBy((row) => `${row}.sourced_id`, 'sourcedId', "sourced_id <> ''"),
  rejectDuplicatesBy(
    (row) => `lower(${row}.wanted->>'email')`,
    'email',
    "file = 'users' AND wanted->>'email' IS NOT NULL",
  ),
  rejectDuplicatesBy(
    (row) => `${row}.wanted->>'mobile'`,
    'sms',
    "file = 'users' AND wanted->>'mobile' IS NOT NULL",
  ),
];

const nothingToDelete = (what: string) => `
  CASE WHEN f.is_deleted AND f.id IS NULL
    THEN r.messages || to_jsonb('There is no ${what} with this sourcedId, so there is nothing to delete.'::text)
    ELSE r.messages END`;
const action = `
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
    action = ${action}, changes = ${titleChange}, course_id = ${idOf('courses')},
    revision = coalesce(f.revision, 0), messages = ${nothingToDelete('course')}
  FROM (
    SELECT r.position, r.is_deleted, r.wanted->>'title' AS title, c.id, c.title AS present, c.revision
    FROM import_rows r
    LEFT JOIN course_sources s ON s.sourced_id = r.sourced_id
    LEFT JOIN courses c ON c.id = s.course_id AND c.deleted_at IS NULL
    WHERE r.import_id = $1 AND r.file = 'courses' AND r.action IS NULL AND r.position BETWEEN $2 AND $3) AS f
  WHERE r.import_id = $1 AND r.position = f.position AND r.position BETWEEN $2 AND $3`;

/** Joins the course that a row refers to, from this archive or an earlier import. */
const namedCourse = `
  LEFT JOIN import_rows cr
    ON cr.import_id = r.import_id AND cr.file = 'courses' AND cr.sourced_id = r.wanted->>'courseSourcedId'
  LEFT JOIN course_sources cs ON cs.sourced_id = r.wanted->>'courseSourcedId'
  LEFT JOIN courses c ON c.id = cs.course_id AND c.deleted_at IS NULL`;
/** Joins the class that a row is about. A class of a deleted course matches only rows that delete it. */
export const matchingClass = `
  LEFT JOIN class_sources s ON s.sourced_id = r.sourced_id
  LEFT JOIN classes k ON k.id = s.class_id AND k.deleted_at IS NULL
    AND (r.is_deleted OR EXISTS (SELECT FROM courses WHERE id = k.course_id AND deleted_at IS NULL))`;

export const planClasses = `
  UPDATE import_rows r SET
    action = CASE WHEN f.problem IS NULL THEN ${action} ELSE 'error' END,
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
        WHEN cr.action = 'error' THEN format('The courseSourcedId refers to line %s of courses.csv, which has an error.', cr.line)
        WHEN cr.is_deleted THEN format('The courseSourcedId refers to line %s of courses.csv, which deletes the course.', cr.line)
        WHEN coalesce(cr.course_id, c.id) IS NULL
          THEN 'The courseSourcedId matches no course in courses.csv or in an earlier import.'
        WHEN k.course_id <> coalesce(cr.course_id, c.id)
          THEN 'A class cannot move to another course. Give it a different sourcedId.'
      END AS problem
    FROM import_rows r ${matchingClass} ${namedCourse}
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

/** Selects the sourcedIds after $2 that enrollments refer to but users.csv does not list. */
export const unlistedUsers = `
  SELECT DISTINCT r.wanted->>'userSourcedId' AS "sourcedId" FROM import_rows r
  WHERE r.import_id = $1 AND r.file = 'enrollments' AND r.action IS NULL AND r.wanted->>'userSourcedId' > $2
    AND NOT EXISTS (
      SELECT FROM import_rows u
      WHERE u.import_id = $1 AND u.file = 'users' AND u.sourced_id = r.wanted->>'userSourcedId')
  ORDER BY 1 LIMIT $3`;

export const insertKnownAccounts = `
  INSERT INTO import_rows (import_id, position, file, line, sourced_id, is_deleted, wanted, user_id, account)
  SELECT $1, $3 + (place)::int, 'known', 0, one->>'sourcedId', false, '{}', (one->'account'->>'userId')::int, one->'account'
  FROM jsonb_array_elements($2::jsonb) WITH ORDINALITY AS known (one, place)`;
