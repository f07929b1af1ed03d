// A school with `rows` submissions in each service, and the rows that they leave in the other tables that grow without bound.

import { fillAccounts } from './fillAccounts.ts';
import { fillGrading } from './fillGrading.ts';
import { fillTeaching } from './fillTeaching.ts';

const [perQuiz, perCourse, perStudent] = [400, 2_000, 40];

/** Ids that exist in a filled school. */
export const known = { course: 2, quiz: 7, student: 11, instructor: 21, finishedCourse: 5 };

const students = (rows: number) => Math.max(rows / perStudent, perQuiz);
const studentOf = (rows: number, item: string, place: string) =>
  `(${item} * 37 + ${place}) % ${students(rows)} + 1`;

const people = (rows: number) => `
  INSERT INTO people SELECT n, 'First' || n, 'Last' || n, n || '@test.example', false, 1
    FROM generate_series(1, ${students(rows)}) n`;

const files = (count: number) => `
  INSERT INTO files (key, name, size, sha256, crc32, created_at, attached_at)
    SELECT gen_random_uuid(), 'scan.pdf', 1000000, md5(n::text) || md5((-n)::text), n, now() - interval '1 day', now()
    FROM generate_series(1, ${count}) n`;

const grading = (rows: number) => `
  ${files(rows + rows / 20 + rows / 50)};
  ${fillGrading({ items: rows / perQuiz, perItem: perQuiz, marked: rows / 50, firstFile: rows + rows / 20 + 1 })}`;

const inbox = (rows: number) => `
  INSERT INTO inbox (source, event_id, received_at)
    SELECT '/services/quiz', gen_random_uuid(), now() - n * interval '721 hours' / ${rows} FROM generate_series(1, ${rows}) n`;

const outbox = (rows: number) => `
  INSERT INTO outbox (event_id, type, body, created_at, sent_at)
    SELECT gen_random_uuid(), 'quiz.submission.graded.v1', jsonb_build_object('id', gen_random_uuid(), 'subject',
      'submissions/' || n, 'data', jsonb_build_object('submission_id', n, 'title', repeat('a title ', 20))),
      now() - n * interval '8 days' / ${rows}, now() - n * interval '8 days' / ${rows}
    FROM generate_series(1, ${rows}) n`;

const idempotencyKeys = (rows: number) => `
  INSERT INTO idempotency_keys (user_id, key, fingerprint, result, created_at)
    SELECT n % ${students(rows)} + 1, gen_random_uuid(), md5(n::text) || md5((-n)::text), '{"submissionId": 1}',
      now() - n * interval '24 hours 10 minutes' / ${rows}
    FROM generate_series(1, ${rows}) n`;

export const fillQuiz = (rows: number): string => `
  ${people(rows)};
  ${grading(rows)};
  INSERT INTO quizzes (course_id, title, created_at)
    SELECT (n - 1) * ${perQuiz} / ${perCourse} + 1, 'Quiz ' || n, now() - n * interval '1 minute'
    FROM generate_series(1, ${rows / perQuiz}) n;
  UPDATE quiz_total SET total = ${rows / perQuiz};
  INSERT INTO submissions (quiz_id, course_id, student_id, file_id, start_at, duration_minutes, submitted_at, grade, total_grade)
    SELECT q, (q - 1) * ${perQuiz} / ${perCourse} + 1, ${studentOf(rows, 'q', 's')}, (q - 1) * ${perQuiz} + s, now(), 30,
      now() - q * interval '1 minute', CASE WHEN s % 2 = 0 THEN 7.5 END, CASE WHEN s % 2 = 0 THEN 10 END
    FROM generate_series(1, ${rows / perQuiz}) q, generate_series(1, ${perQuiz}) s;
  INSERT INTO grading_totals SELECT quiz_id, 0, count(*), count(total_grade) FROM submissions GROUP BY quiz_id;
  INSERT INTO gradings (submission_id, grade, total_grade, graded_by, graded_at)
    SELECT n * 2, 7.5, 10, n % (${rows} / 200) + 1, now() FROM generate_series(1, ${rows / 2}) n;
  INSERT INTO replaced_sheets (submission_id, file_id, submitted_at, replaced_at)
    SELECT n * 20, ${rows} + n, now(), now() - CASE WHEN n <= 100 THEN interval '400 days' ELSE interval '1 day' END
    FROM generate_series(1, ${rows / 20}) n;
  INSERT INTO quiz_starts
    SELECT q, ${studentOf(rows, 'q', 's')}, now()
    FROM generate_series(1, ${rows / perQuiz}) q, generate_series(1, ${perQuiz}) s;
  INSERT INTO finished_courses SELECT ${known.finishedCourse}, now() - interval '400 days';
  UPDATE submissions SET file_id = NULL WHERE course_id = ${known.finishedCourse} AND id % 10 <> 0;
  ${inbox(rows)};
  ${outbox(rows)};
  ${idempotencyKeys(rows)};`;

export const fillHomework = (rows: number): string => `
  ${people(rows)};
  ${grading(rows)};
  INSERT INTO courses SELECT n, 'Course ' || n, false, 1 FROM generate_series(1, ${Math.ceil(rows / perCourse)}) n;
  INSERT INTO classes (class_id, course_id, title, created_at, is_deleted, revision, has_assignment)
    SELECT n, (n - 1) * ${perQuiz} / ${perCourse} + 1, 'Class ' || n, now() - n * interval '1 minute', false, 1, true
    FROM generate_series(1, ${rows / perQuiz}) n;
  INSERT INTO assignments SELECT n, now() + interval '1 day', 'Hand in your scans', NULL
    FROM generate_series(1, ${rows / perQuiz}) n;
  INSERT INTO homework_totals SELECT course_id, count(*) FROM classes GROUP BY course_id;
  INSERT INTO submissions (class_id, student_id, submitted_at, rating, graded_by, graded_at)
    SELECT c, ${studentOf(rows, 'c', 's')}, now(), CASE WHEN s % 2 = 0 THEN 7 END, CASE WHEN s % 2 = 0 THEN 1 END,
      CASE WHEN s % 2 = 0 THEN now() END
    FROM generate_series(1, ${rows / perQuiz}) c, generate_series(1, ${perQuiz}) s;
  INSERT INTO submission_files (file_id, submission_id, submitted_at)
    SELECT n, n, now() FROM generate_series(1, ${rows}) n;
  INSERT INTO submission_files (file_id, submission_id, submitted_at, replaced_at)
    SELECT ${rows} + n, n * 20, now(), now() - CASE WHEN n <= 100 THEN interval '400 days' ELSE interval '1 day' END
    FROM generate_series(1, ${rows / 20}) n;
  INSERT INTO grading_totals SELECT class_id, 0, count(*), count(graded_by) FROM submissions GROUP BY class_id;
  INSERT INTO gradings (submission_id, rating, graded_by, graded_at)
    SELECT n * 2, 7, n % (${rows} / 200) + 1, now() FROM generate_series(1, ${rows / 2}) n;
  INSERT INTO finished_courses SELECT ${known.finishedCourse}, now() - interval '400 days';
  DELETE FROM submission_files f USING submissions s, classes c
    WHERE s.id = f.submission_id AND c.class_id = s.class_id AND c.course_id = ${known.finishedCourse} AND s.id % 10 <> 0;`;

export const fillCourses = (rows: number): string => `
  ${people(rows)};
  INSERT INTO courses (title, student_count)
    SELECT 'Course ' || n, ${perQuiz} FROM generate_series(1, ${Math.ceil(rows / perCourse)}) n;
  UPDATE course_total SET total = ${Math.ceil(rows / perCourse)};
  INSERT INTO roster (course_id, user_id, is_enrolled, paid, revision, is_graded, first_name, last_name, email)
    SELECT c, user_id, true, true, 1, true, first_name, last_name, email
    FROM generate_series(1, ${Math.ceil(rows / perCourse)}) c CROSS JOIN generate_series(1, ${perQuiz}) s
      JOIN people ON user_id = ${studentOf(rows, 'c', 's')};
  INSERT INTO grades (kind, submission_id, course_id, student_id, item_id, title, grade, total_grade, graded_at, revision)
    SELECT 'quiz', n, (n - 1) / ${perCourse} + 1, n % ${students(rows)} + 1, (n - 1) / ${perQuiz} + 1, 'Quiz', 7.5, 10,
      now(), 1
    FROM generate_series(1, ${rows}) n;
  ${inbox(rows)};
  ${fillTeaching({ courses: Math.ceil(rows / perCourse), rows: rows / 10 })};`;

export const fillAuth = (rows: number): string => `
  INSERT INTO users (first_name, last_name, email, password_hash, role, is_approved, is_verified, is_verified_mobile)
    SELECT 'First' || n, 'Last' || n, n || '@test.example', '', 'user', true, true, false
    FROM generate_series(1, ${students(rows)}) n;
  INSERT INTO sessions (user_id, token_id, token_expires_at, change_password)
    SELECT n % ${students(rows)} + 1, gen_random_uuid(), now() + interval '10 hours', false
    FROM generate_series(1, ${rows / 10}) n;
  INSERT INTO revocations (token_id, expires_at)
    SELECT gen_random_uuid(), now() - n * interval '1 second' FROM generate_series(1, 5000) n;
  INSERT INTO revocations (token_id, expires_at)
    SELECT gen_random_uuid(), now() + interval '10 hours' FROM generate_series(1, ${rows / 10}) n;
  INSERT INTO audit.entries (entry_id, at, actor_id, actor_role, session_id, address, action, object_type, object_id, changes)
    SELECT gen_random_uuid(), now() - n * interval '400 days' / ${rows}, n % ${students(rows)} + 1, 'user', n, '192.0.2.1',
      CASE n % 10 WHEN 0 THEN 'quiz.graded' ELSE 'login.succeeded' END, CASE n % 10 WHEN 0 THEN 'quiz_submission' ELSE 'user' END,
      CASE n % 10 WHEN 0 THEN n ELSE n % ${students(rows)} + 1 END,
      CASE n % 10 WHEN 0 THEN '{"grade": [null, 7.5]}'::jsonb END
    FROM generate_series(1, ${rows}) n;
  DELETE FROM audit.entries WHERE at < now() - interval '365 days' AND position % ${Math.max(1, Math.floor(rows / 20_000))} <> 0;
  ${fillAccounts(students(rows))};`;
