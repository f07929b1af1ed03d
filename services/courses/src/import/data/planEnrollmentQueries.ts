/*
 * Plans the rows of enrollments.csv, after all other rows. $1 is the import, $2 to $3 the range of positions of one
 * statement.
 */

/** Resolves the course and the account of each enrollment. */
export const resolveEnrollments = `
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
 * OneRoster enrolls in classes, Gradeway in courses: the first row for a course creates the enrollment, and it ends
 * when no row of this archive and no earlier import enrolls the student in any class of the course. `paid` of an
 * existing enrollment does not change.
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
