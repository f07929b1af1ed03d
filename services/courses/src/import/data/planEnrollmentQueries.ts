/*
 * Plans the rows of enrollments.csv, after all other rows. Rows about teachers become rows of the file `instructors`.
 * $1 is the import, $2 to $3 the range of positions of one statement.
 */

/**
 * Resolves the course and the account of each row, and whether it is about a teacher. A deletion without a role refers
 * to the enrollment or assignment that its sourcedId names. Teacher rows whose accounts have another role after the
 * import are ignored rather than rejected: most systems' exports contain the head teacher, and an aide may also be a
 * parent.
 */
export const resolveEnrollments = `
  UPDATE import_rows r SET
    file = CASE WHEN f.is_teaching THEN 'instructors' ELSE r.file END,
    course_id = f.course_id, user_id = f.user_id,
    account = CASE WHEN f.is_teaching THEN f.account END,
    action = CASE
      WHEN f.problem IS NOT NULL THEN 'error'
      WHEN f.obstacle IS NOT NULL THEN 'ignored'
      WHEN f.course_id IS NULL OR f.user_id IS NULL THEN 'unchanged'
    END,
    messages = CASE
      WHEN coalesce(f.problem, f.obstacle) IS NOT NULL THEN r.messages || to_jsonb(coalesce(f.problem, f.obstacle))
      WHEN f.course_id IS NULL OR f.user_id IS NULL
        THEN r.messages || to_jsonb('There is no such enrollment, so there is nothing to end.'::text)
      ELSE r.messages
    END
  FROM (
    SELECT r.position, kind.is_teaching, coalesce(kr.course_id, k.course_id, es.course_id) AS course_id,
      coalesce(ur.user_id, pr.user_id, es.user_id) AS user_id, coalesce(ur.account, pr.account) AS account,
      CASE
        WHEN r.is_deleted OR NOT kind.is_teaching THEN NULL
        WHEN ur.action = 'ignored' OR kind.account_role = 'admin'
          THEN 'Administrators can grade every course without being assigned to it.'
        WHEN kind.account_role IS DISTINCT FROM 'instructor'
          THEN 'Only teachers can be assigned to a course.'
      END AS obstacle,
      CASE
        WHEN r.is_deleted THEN NULL
        WHEN kr.action = 'error' THEN format('The classSourcedId refers to line %s of classes.csv, which has an error.', kr.line)
        WHEN kr.is_deleted THEN format('The classSourcedId refers to line %s of classes.csv, which deletes the class.', kr.line)
        WHEN coalesce(kr.course_id, k.course_id) IS NULL
          THEN 'The classSourcedId matches no class in classes.csv or in an earlier import.'
        WHEN EXISTS (
          SELECT FROM course_sources s JOIN import_rows d
            ON d.import_id = r.import_id AND d.file = 'courses' AND d.sourced_id = s.sourced_id AND d.is_deleted
          WHERE s.course_id = coalesce(kr.course_id, k.course_id)) THEN 'A line of courses.csv deletes the course.'
        WHEN ur.action = 'error' THEN format('The userSourcedId refers to line %s of users.csv, which has an error.', ur.line)
        WHEN ur.action = 'ignored' AND kind.is_teaching THEN NULL
        WHEN ur.action = 'ignored' THEN format('The userSourcedId refers to line %s of users.csv, which is ignored.', ur.line)
        WHEN ur.is_deleted THEN format('The userSourcedId refers to line %s of users.csv, which deletes the account.', ur.line)
        WHEN coalesce(ur.user_id, pr.user_id) IS NULL
          THEN 'The userSourcedId matches nobody in users.csv or in an earlier import.'
        WHEN (es.course_id, es.user_id, es.is_teaching)
            <> (coalesce(kr.course_id, k.course_id), coalesce(ur.user_id, pr.user_id), kind.is_teaching)
            AND (old.is_enrolled OR taught.is_assigned)
          THEN 'Another enrollment has this sourcedId and must be ended first.'
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
    LEFT JOIN roster old
      ON NOT es.is_teaching AND old.course_id = oc.id AND old.user_id = es.user_id AND old.is_enrolled
    LEFT JOIN instructors taught
      ON es.is_teaching AND taught.course_id = oc.id AND taught.user_id = es.user_id AND taught.is_assigned
    CROSS JOIN LATERAL (
      SELECT
        coalesce(
          CASE WHEN r.is_deleted THEN es.is_teaching END, r.wanted->>'role' IN ('teacher', 'proctor'), false) AS is_teaching,
        CASE WHEN ur.position IS NULL THEN pr.account->>'role' ELSE ur.wanted->>'role' END AS account_role) AS kind
    WHERE r.import_id = $1 AND r.file = 'enrollments' AND r.action IS NULL
      AND r.position BETWEEN $2 AND $3) AS f
  WHERE r.import_id = $1 AND r.position = f.position AND r.position BETWEEN $2 AND $3`;

interface Membership {
  /** The file whose rows are planned. */
  file: 'enrollments' | 'instructors';
  isTeaching: boolean;
  table: 'roster' | 'instructors';
  /** The column that marks a current membership. */
  isActive: string;
  /** The changes of a new membership, as JSON. `f.role` is the role of an instructor in the course. */
  created: string;
  ended: string;
  /** Messages for repeated rows of the archive, and for a membership that another class of the course keeps. */
  messages: { again: string; kept: string };
}

/**
 * OneRoster adds people to classes, Gradeway to courses. The first row for a course creates the membership. It ends
 * when neither this archive nor an earlier import has the person in any class of the course.
 */
const planMembership = ({ file, isTeaching, table, isActive, created, ended, messages }: Membership) => `
  UPDATE import_rows r SET revision = f.revision, action = f.action,
    changes = CASE f.action WHEN 'create' THEN ${created} WHEN 'delete' THEN '${ended}' ELSE '{}' END,
    messages = CASE
      WHEN f.action = 'unchanged' AND NOT f.is_deleted AND NOT f.is_active
        THEN r.messages || to_jsonb(format('${messages.again}', f.first_line))
      WHEN f.action = 'unchanged' AND f.is_deleted AND f.is_kept
        THEN r.messages || to_jsonb('${messages.kept}'::text)
      ELSE r.messages END
  FROM (
    SELECT *, CASE
        WHEN is_deleted THEN CASE WHEN is_kept OR NOT is_active OR line <> first_line THEN 'unchanged' ELSE 'delete' END
        WHEN is_active OR line <> first_line THEN 'unchanged'
        ELSE 'create'
      END AS action
    FROM (
      SELECT r.position, r.line, r.is_deleted, coalesce(t.revision, 0) AS revision,
        coalesce(t.${isActive}, false) AS is_active, same.first_line, same.role,
        same.is_wanted OR EXISTS (
          SELECT FROM enrollment_sources es
          WHERE r.is_deleted AND es.course_id = r.course_id AND es.user_id = r.user_id
            AND es.is_teaching = ${isTeaching} AND NOT EXISTS (
              SELECT FROM import_rows x WHERE x.import_id = $1 AND x.file = '${file}'
                AND x.sourced_id = es.sourced_id AND x.is_deleted)) AS is_kept
      FROM import_rows r
      LEFT JOIN ${table} t ON t.course_id = r.course_id AND t.user_id = r.user_id
      CROSS JOIN LATERAL (
        SELECT min(s.line) FILTER (WHERE s.is_deleted = r.is_deleted) AS first_line,
          bool_or(NOT s.is_deleted) AS is_wanted,
          CASE WHEN bool_or(NOT s.is_deleted AND s.wanted->>'role' = 'teacher') THEN 'teacher' ELSE 'grader' END AS role
        FROM import_rows s
        WHERE s.import_id = $1 AND s.file = '${file}' AND s.user_id = r.user_id AND s.course_id = r.course_id
          AND coalesce(s.action, '') NOT IN ('error', 'ignored')) AS same
      WHERE r.import_id = $1 AND r.file = '${file}' AND r.action IS NULL
        AND r.position BETWEEN $2 AND $3) AS pairs) AS f
  WHERE r.import_id = $1 AND r.position = f.position AND r.position BETWEEN $2 AND $3`;

/** The `paid` flag of an existing enrollment does not change. */
export const planEnrollments = planMembership({
  file: 'enrollments',
  isTeaching: false,
  table: 'roster',
  isActive: 'is_enrolled',
  created: `jsonb_build_object('enrolled', '[false, true]'::jsonb, 'paid', jsonb_build_array(NULL, $4::boolean))`,
  ended: '{"enrolled": [true, false]}',
  messages: {
    again: 'Line %s enrolls the same person in the same course.',
    kept: 'The student is still enrolled through another class of the course.',
  },
});

/** The role of an existing instructor does not change, because the teachers of a course also set it. */
export const planInstructors = planMembership({
  file: 'instructors',
  isTeaching: true,
  table: 'instructors',
  isActive: 'is_assigned',
  created: `jsonb_build_object('assigned', '[false, true]'::jsonb, 'role', jsonb_build_array(NULL, f.role))`,
  ended: '{"assigned": [true, false]}',
  messages: {
    again: 'Line %s assigns the same person to the same course.',
    kept: 'The teacher is still assigned through another class of the course.',
  },
});
