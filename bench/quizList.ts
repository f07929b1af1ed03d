// Compares a page of the quiz list (15 quizzes, 600 submissions) with pgbench and the same SQL, alternating in one run.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { median, startBenchService } from './benchService.ts';
import { answeredRequests } from './wrk.ts';

const [quizzes, perQuiz, connections, seconds, rounds] = [25_000, 40, 16, 6, 3];
const goal = 0.4;

const service = await startBenchService('quiz');
const client = new Client({ connectionString: service.databaseUrl });
await client.connect();
console.log(`Inserting ${quizzes} quizzes with ${quizzes * perQuiz} submissions…`);
await client.query(`
  INSERT INTO files (key, name, size, sha256, crc32, attached_at)
    SELECT 'key' || n, 'answers.pdf', 1000, 'x', 1, now() FROM generate_series(1, ${quizzes * perQuiz}) n;
  INSERT INTO people SELECT n, 'First' || n, 'Last' || n, n || '@test.example', false, 1 FROM generate_series(1, 5000) n;
  INSERT INTO quizzes (course_id, title, created_at)
    SELECT n % 500 + 1, 'Quiz ' || n, now() - n * interval '1 minute' FROM generate_series(1, ${quizzes}) n;
  INSERT INTO submissions (quiz_id, course_id, student_id, file_id, start_at, duration_minutes, submitted_at, grade, total_grade)
    SELECT q, q % 500 + 1, (q * 7 + s) % 5000 + 1, (q - 1) * ${perQuiz} + s, now(), 30, now(),
      CASE WHEN s % 2 = 0 THEN 7.5 END, CASE WHEN s % 2 = 0 THEN 10 END
    FROM generate_series(1, ${quizzes}) q, generate_series(1, ${perQuiz}) s;
  UPDATE quiz_total SET total = ${quizzes};
  ANALYZE`);
await client.end();

const headers = { authorization: `Bearer ${service.tokens.sign(1, 'admin')}` };
const address = `${service.url}/api/v3/quiz/pdf-quizzes?page=3`;
const sample = await (await fetch(address, { headers })).text();
const submissions = (JSON.parse(sample) as { data: { submissions: unknown[] }[] }).data.flatMap(
  (quiz) => quiz.submissions,
);
console.log(`A page has ${submissions.length} submissions, ${(sample.length / 1024).toFixed(0)} KB.`);

const script = join(mkdtempSync(join(tmpdir(), 'pgbench-')), 'list.sql');
const statements = await service.statementsOf(() => fetch(address, { headers }));
writeFileSync(script, statements.map((statement) => `${statement};\n`).join(''));
console.log(`A page takes ${statements.length} queries.`);

async function serviceRate(): Promise<number> {
  const { authorization } = headers;
  return (await answeredRequests({ address, authorization, connections, seconds })) / seconds;
}

function pgbenchRate(): number {
  const options = [
    '-n',
    '-f',
    script,
    '-c',
    `${connections}`,
    '-j',
    '2',
    '-T',
    `${seconds}`,
    '-M',
    'extended',
  ];
  const output = execFileSync('pgbench', [...options, service.databaseUrl], { encoding: 'utf8' });
  return Number(/tps = ([\d.]+)/.exec(output)?.[1]);
}

await serviceRate();
const [pages, transactions]: [number[], number[]] = [[], []];
for (let round = 0; round < rounds; round += 1) {
  transactions.push(pgbenchRate());
  pages.push(await serviceRate());
}
const ratio = median(pages) / median(transactions);
console.log(`pgbench   ${median(transactions).toFixed(0)} pages/s`);
console.log(`service   ${median(pages).toFixed(0)} pages/s`);
console.log(`ratio     ${ratio.toFixed(2)} (goal: at least ${goal})`);
await service.stop();
process.exit(ratio >= goal ? 0 : 1);
