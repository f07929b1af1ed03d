// Measures the peak memory of homework during one and eight concurrent downloads of ZIP archives of 30 files of 5 MB, compared
// with one archive of 3 files: memory must not depend on the size of an archive.
import { makePdf } from '@gradeway/local/demoPdf';
import { Client } from 'pg';
import { mebibytes, startBenchService } from './benchService.ts';

const [files, fileBytes, atOnce, goalBytes] = [30, 5_000_000, 8, 64 * 1024 * 1024];

const service = await startBenchService('homework');
const { peers, tokens, url } = service;
const pdf = new Blob([new Uint8Array(await makePdf('A scan', { bytes: fileBytes }))]);
const createdAt = { seconds: 1_700_000_000, nanos: 0 };
peers.courses.push({ courseId: 1, title: 'Course', revision: 1 });
peers.classes.push({ classId: 1, courseId: 1, title: 'Class', createdAt, revision: 1 });

const headers = (userId: number, role: 'admin' | 'user') => ({
  authorization: `Bearer ${tokens.sign(userId, role)}`,
});

async function send(method: string, path: string, body: FormData, from: Record<string, string>) {
  const answer = await fetch(`${url}${path}`, { method, body, headers: from });
  if (!answer.ok) throw new Error(`${path} failed with status ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as { data: { id: number } };
}

const assignment = new FormData();
assignment.append('assignment_description', 'Hand in your scans');
await send('PUT', '/api/v3/admin/homeworks/1', assignment, headers(1, 'admin'));

async function handIn(userId: number, count: number): Promise<number> {
  peers.enrollments.set(`${userId}/1`, { paid: true });
  const form = new FormData();
  for (let n = 1; n <= count; n += 1) form.append('files', pdf, `scan ${n}.pdf`);
  return (await send('POST', '/api/v3/homeworks/1/submissions', form, headers(userId, 'user'))).data.id;
}

const small = await handIn(100, 3);
const large = await handIn(101, 10);
// A student uploads at most ten files: the other twenty are moved from submissions of two more students.
const client = new Client({ connectionString: service.databaseUrl });
await client.connect();
for (const userId of [102, 103])
  await client.query('UPDATE submission_files SET submission_id = $1 WHERE submission_id = $2', [
    large,
    await handIn(userId, 10),
  ]);
await client.end();

async function read(submissionId: number): Promise<number> {
  const path = `${url}/api/v3/assignments/download/${submissionId}`;
  const answer = await fetch(path, { headers: headers(1, 'admin') });
  let bytes = 0;
  for await (const chunk of answer.body ?? []) bytes += chunk.length;
  return bytes;
}

async function peakOf(times: number, submissionId: number, count: number): Promise<[number, number]> {
  await service.resetPeak();
  const startedAt = performance.now();
  const sizes = await Promise.all(Array.from({ length: times }, () => read(submissionId)));
  const seconds = (performance.now() - startedAt) / 1000;
  if (sizes.some((size) => size < count * fileBytes)) throw new Error('an archive is incomplete');
  return [await service.peakMemory(), (times * count * fileBytes) / seconds];
}

const [baseline] = await peakOf(1, small, 3);
let worst = 0;
for (const times of [1, atOnce]) {
  const [peak, rate] = await peakOf(times, large, files);
  worst = Math.max(worst, peak - baseline);
  console.log(
    `${times} archives of ${files} files: ${mebibytes(peak - baseline)} more than one of 3 files, ${mebibytes(rate)}/s`,
  );
}
console.log(`growth    ${mebibytes(worst)} (goal: less than ${mebibytes(goalBytes)})`);
await service.stop();
process.exit(worst < goalBytes ? 0 : 1);
