interface Size {
  courses: number;
  /** The number of webhook deliveries, comments, and rows in an import plan. */
  rows: number;
}

// No delivery is due unless a request makes it due, because an attempt would wait for a receiver.
const webhooks = (rows: number) => `
  INSERT INTO webhook_subscriptions (url, event_types, secret)
    SELECT 'http://127.0.0.1:9/' || n, ARRAY['*'], '' FROM generate_series(1, 5) n;
  INSERT INTO webhook_subscriptions (url, event_types, secret, is_active, deleted_at)
    SELECT 'http://127.0.0.1:9/' || n, ARRAY['*'], '', false, now() FROM generate_series(6, 10) n;
  INSERT INTO webhook_deliveries (subscription_id, event_id, event_type, body, status, attempts, next_attempt_at, created_at)
    SELECT n % 5 + 1, n, 'quiz.submission.graded.v1', repeat('an event ', 50),
      CASE n % 100 WHEN 0 THEN 'failed' WHEN 1 THEN 'pending' ELSE 'delivered' END, 1,
      CASE n % 100 WHEN 1 THEN now() + interval '1 hour' END, now() - n * interval '29 days' / ${rows}
    FROM generate_series(1, ${rows}) n;
  INSERT INTO webhook_deliveries (subscription_id, event_id, event_type, body, status, created_at)
    SELECT 1, 'old' || n, 'quiz.submission.graded.v1', 'an event', 'delivered', now() - interval '100 days'
    FROM generate_series(1, 1000) n;`;

const imports = (rows: number) => `
  INSERT INTO imports (id, state, is_paid, created_by, expires_at)
    SELECT gen_random_uuid(), 'done', true, 1, now() + n * interval '1 day' FROM generate_series(1, 1000) n;
  INSERT INTO import_rows (import_id, position, file, line, sourced_id, is_deleted, wanted, action, course_id, user_id)
    SELECT (SELECT id FROM imports LIMIT 1), n, CASE WHEN n % 2 = 0 THEN 'users' ELSE 'enrollments' END, n, 's' || n, false, '{}',
      'unchanged', 1, n FROM generate_series(1, ${rows}) n;`;

/** The rows of courses, except students and grades: instructors, their comments, webhooks and imports. */
export const fillTeaching = ({ courses, rows }: Size): string => `
  INSERT INTO instructors (course_id, user_id, account_revision)
    SELECT c, (c + place) % 1000 + 1, 1 FROM generate_series(1, ${courses}) c, generate_series(1, 3) place;
  INSERT INTO classes (course_id, title) SELECT n % ${courses} + 1, 'Class ' || n FROM generate_series(1, ${courses} * 5) n;
  INSERT INTO grading_comments (owner_id, text, uses)
    SELECT n % (${rows} / 20) + 1, 'Well done ' || n, n % 10 FROM generate_series(1, ${rows}) n;
  INSERT INTO course_sources (sourced_id, course_id) SELECT 'c' || n, n FROM generate_series(1, ${courses}) n;
  INSERT INTO enrollment_sources (sourced_id, course_id, user_id)
    SELECT 'e' || course_id || '-' || user_id, course_id, user_id FROM roster;
  ${imports(rows)}
  ${webhooks(rows)}`;
