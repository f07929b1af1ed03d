// Measures the peak memory of quiz during 32 concurrent uploads of 20 MB, compared with the peak of a single upload, which
// includes the PDF worker and the check of one file.
import { setTimeout as sleep } from 'node:timers/promises';
import { makePdf } from '@gradeway/local/demoPdf';
import { mebibytes } from '../support/measuring/statistics.ts';
import { startBenchService } from '../support/processes/benchService.ts';

const [uploads, fileBytes, goalBytes] = [32, 20_000_000, 64 * 1024 * 1024];

const service = await startBenchService('quiz');
const pdf = new Blob([new Uint8Array(await makePdf('A scan', { bytes: fileBytes }))]);
service.peers.courses.push({ courseId: 1, title: 'Course', revision: 1 });

const headers = (userId: number, role: 'admin' | 'user') => ({
  authorization: `Bearer ${service.tokens.sign(userId, role)}`,
});
const quiz = new FormData();
quiz.append('title', 'Quiz');
quiz.append('course_id', '1');
const made = await fetch(`${service.url}/api/v3/quiz/pdf-quizzes`, {
  method: 'POST',
  body: quiz,
  headers: headers(1, 'admin'),
});
const { data } = (await made.json()) as { data: { id: number } };

async function upload(userId: number): Promise<void> {
  service.peers.enrollments.set(`${userId}/1`, { paid: true });
  const form = new FormData();
  const start = new Date().toISOString().slice(0, 19);
  for (const [name, value] of Object.entries({
    course_id: '1',
    quiz_id: String(data.id),
    duration: '30',
    start_at: start,
  }))
    form.append(name, value);
  form.append('file', pdf, 'scan.pdf');
  const answer = await fetch(`${service.url}/api/v3/quiz/submit-pdf`, {
    method: 'POST',
    body: form,
    headers: headers(userId, 'user'),
  });
  if (answer.status !== 200)
    throw new Error(`an upload failed with status ${answer.status}: ${await answer.text()}`);
}

await service.resetPeak();
await upload(100);
const one = await service.peakMemory();
await sleep(500);
await service.resetPeak();
const startedAt = performance.now();
await Promise.all(Array.from({ length: uploads }, (_, index) => upload(101 + index)));
const seconds = (performance.now() - startedAt) / 1000;
const growth = (await service.peakMemory()) - one;

console.log(`${uploads} concurrent uploads of ${mebibytes(fileBytes)} took ${seconds.toFixed(1)} s`);
console.log(`peak for one upload    ${mebibytes(one)}`);
console.log(`growth for all uploads ${mebibytes(growth)} (goal: less than ${mebibytes(goalBytes)})`);
await service.stop();
process.exit(growth < goalBytes ? 0 : 1);
