// Measures changes to a question's rubric and to its maximum over 20,000 graded answers, each of which regrades its
// submission.
import { startFakePeers } from '@gradeway/test/fakePeers';
import { createHttpClient } from '@gradeway/test/httpClient';
import { startTokenIssuer } from '@gradeway/test/tokenIssuer';
import { startBenchDatabase } from '../support/database/benchDatabase.ts';
import type { Row } from '../support/measuring/row.ts';
import { startBenchProcess } from '../support/processes/benchProcess.ts';

const answers = 20_000;
const path = '/api/v3/grading/quizzes/1/questions';

export async function run(): Promise<Row[]> {
  const database = await startBenchDatabase();
  const [peers, tokens] = [await startFakePeers(), await startTokenIssuer()];
  const quiz = await startBenchProcess('quiz', { database, peers, tokens });
  const admin = createHttpClient({ baseUrl: quiz.url, token: tokens.sign(1, 'admin') });
  const put = async (to: string, body: object, headers = { 'if-match': '*' }) => {
    const startedAt = performance.now();
    const answer = await admin.put(to, body, headers);
    if (!answer.status.toString().startsWith('2')) throw new Error(`${to} was answered ${answer.status}`);
    return { data: answer.body.data, ms: performance.now() - startedAt };
  };

  await database.fill('quiz', submissions);
  const { data } = await put(path, { questions: [{ label: '1', max_points: 10 }] });
  const [question] = data.questions;
  const rubric = `${path}/${question.id}/rubric`;
  const rubricOf = (points: number, item: object = {}) => ({
    mode: 'add',
    items: [{ ...item, points, text: 'Everything is right' }],
  });
  const made = await admin.put(rubric, rubricOf(6), { 'if-none-match': '*' });
  const [{ id }] = made.body.data.items;
  await database.fill('quiz', graded(question.id, id));

  const changes: number[] = [];
  for (const points of [7, 6, 7]) changes.push((await put(rubric, rubricOf(points, { id }))).ms);
  const outlines: number[] = [];
  for (const max_points of [11, 12, 13])
    outlines.push((await put(path, { questions: [{ ...question, max_points }] })).ms);

  await quiz.stop();
  await Promise.all([peers.close(), tokens.close()]);
  await database.stop();
  return [
    row('questions.rubric', `a change of the rubric of a question that regrades ${answers} answers`, changes),
    row(
      'questions.maximum',
      `a change of the maximum of a question that regrades ${answers} answers`,
      outlines,
    ),
  ];
}

const submissions = `
  INSERT INTO people SELECT n, 'First' || n, 'Last' || n, n || '@test.example', false, 1
    FROM generate_series(1, ${answers}) n;
  INSERT INTO quizzes (course_id, title) VALUES (1, 'Exam');
  INSERT INTO submissions (quiz_id, course_id, student_id, start_at, duration_minutes, submitted_at)
    SELECT 1, 1, n, now(), 30, now() - (200000 - n) * interval '1 second' FROM generate_series(1, ${answers}) n;`;

// In one transaction, the trigger would write a version of the item for each answer.
const graded = (questionId: number, itemId: number) => `
  ALTER TABLE answers DISABLE TRIGGER selected_items_count;
  UPDATE answers SET is_waiting = false, points = 6, graded_by = 1, graded_at = now(), revision = 1,
    selection = ARRAY[${itemId}], rubric_revision = 1 WHERE question_id = ${questionId};
  ALTER TABLE answers ENABLE TRIGGER selected_items_count;
  UPDATE submissions SET grade = 6, total_grade = 10, graded_by = 1, graded_at = now(), revision = 1;`;

const row = (name: string, work: string, values: number[]): Row => ({
  ...{ name, work, values, against: '-', unit: 'ms' },
  goal: { atMost: 10_000 },
});
