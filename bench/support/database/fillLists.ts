const [students, courses] = [5_000, 500];

const people = `
  INSERT INTO people SELECT n, 'First' || n, 'Last' || n, n || '@test.example', false, 1
    FROM generate_series(1, ${students}) n`;

const files = (count: number) => `
  INSERT INTO files (key, name, size, sha256, crc32, attached_at)
    SELECT 'key' || n, 'answers.pdf', 1000, 'x', 1, now() FROM generate_series(1, ${count}) n`;

/** Quizzes with the same number of submissions each; every other submission is graded. */
export const fillQuizzes = (quizzes: number, perQuiz: number): string => `
  ${people};
  ${files(quizzes * perQuiz)};
  INSERT INTO quizzes (course_id, title, created_at)
    SELECT n % ${courses} + 1, 'Quiz ' || n, now() - n * interval '1 minute' FROM generate_series(1, ${quizzes}) n;
  INSERT INTO submissions
    (quiz_id, course_id, student_id, file_id, start_at, duration_minutes, submitted_at, grade, total_grade)
    SELECT q, q % ${courses} + 1, (q * 7 + s) % ${students} + 1, (q - 1) * ${perQuiz} + s, now(), 30, now(),
      CASE WHEN s % 2 = 0 THEN 7.5 END, CASE WHEN s % 2 = 0 THEN 10 END
    FROM generate_series(1, ${quizzes}) q, generate_series(1, ${perQuiz}) s;
  UPDATE quiz_total SET total = ${quizzes};`;

/** Classes with an assignment, and submissions of one file each. */
export const fillHomeworks = (classes: number, perClass: number): string => `
  ${people};
  ${files(classes * perClass)};
  INSERT INTO courses SELECT n, 'Course ' || n, false, 1 FROM generate_series(1, ${courses}) n;
  INSERT INTO classes (class_id, course_id, title, created_at, is_deleted, revision, has_assignment)
    SELECT n, n % ${courses} + 1, 'Class ' || n, now() - n * interval '1 minute', false, 1, true
    FROM generate_series(1, ${classes}) n;
  INSERT INTO assignments SELECT n, now() + interval '1 day', 'Hand in your scans', null
    FROM generate_series(1, ${classes}) n;
  INSERT INTO homework_totals SELECT course_id, count(*) FROM classes GROUP BY course_id;
  INSERT INTO submissions (class_id, student_id, submitted_at, rating, comment, graded_by, graded_at)
    SELECT c, (c * 7 + s) % ${students} + 1, now(), CASE WHEN s % 2 = 0 THEN 7 END,
      CASE WHEN s % 2 = 0 THEN 'Good work' END, CASE WHEN s % 2 = 0 THEN 1 END, CASE WHEN s % 2 = 0 THEN now() END
    FROM generate_series(1, ${classes}) c, generate_series(1, ${perClass}) s;
  INSERT INTO submission_files (file_id, submission_id, submitted_at)
    SELECT n, n, now() FROM generate_series(1, ${classes * perClass}) n;`;
