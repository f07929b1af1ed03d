// Measures PDFs that are expensive to open: CPU time, duration and memory of the process that opens them, and memory
// growth of the calling process, which is this one. Idle workers use about 75 MB.
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makePdf } from '@gradeway/local/demoPdf';
import { createPdfChecker, createPdfSlots } from '@gradeway/shared/files/pdfChecker';
import { createLogger } from '@gradeway/shared/process/logger';
import { heavyPdfs, pdfBombs } from '@gradeway/test/pdfBombs';
import { childrenOf, cpuSecondsOf, memoryOf } from '@gradeway/test/processUsage';
import { mebibytes } from '../support/measuring/statistics.ts';

const [cpuSeconds, memoryMb, goalBytes] = [8, 192, 200 * 1024 * 1024];
const directory = mkdtempSync(join(tmpdir(), 'gradeway-bombs-'));
const honest = await makePdf('Answers');
const files = [{ kind: 'one honest page', make: () => honest }, ...heavyPdfs, ...pdfBombs].map(
  ({ kind, make }, index) => {
    const path = join(directory, `${index}.pdf`);
    writeFileSync(path, make());
    return { kind, path, bytes: statSync(path).size };
  },
);
globalThis.gc?.();

const log = createLogger('bench', 'silent');
const checker = createPdfChecker({ log, cpuSeconds, memoryMb, slots: createPdfSlots(2) });
let worst = 0;

console.log('| Kind | File | Verdict | CPU time | Time | Worker grows by, at most | Service grows by |');
console.log('|---|---|---|---|---|---|---|');
for (const { kind, path, bytes } of files) {
  // Each file gets a worker that has previously checked only a simple file.
  await checker.check(files[0]?.path ?? '', 1);
  const [worker = 0] = childrenOf(process.pid, 'pdfWorker');
  const [idle, own, cpuBefore] = [memoryOf(worker).now, memoryOf(process.pid).now, cpuSecondsOf(worker)];
  writeFileSync(`/proc/${process.pid}/clear_refs`, '5');
  let [peak, cpu] = [idle, cpuBefore];
  const sampling = setInterval(() => {
    peak = Math.max(peak, memoryOf(worker).peak);
    cpu = Math.max(cpu, cpuSecondsOf(worker));
  }, 10);
  const startedAt = performance.now();
  const verdict = await checker.check(path, 1);
  const seconds = (performance.now() - startedAt) / 1000;
  clearInterval(sampling);
  const [workerGrowth, growth] = [peak - idle, memoryOf(process.pid).peak - own];
  worst = Math.max(worst, workerGrowth, growth);
  const size = bytes < 100_000 ? `${(bytes / 1000).toFixed(1)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
  const times = `${(cpu - cpuBefore).toFixed(2)} s | ${seconds.toFixed(2)} s`;
  console.log(
    `| ${kind} | ${size} | ${verdict} | ${times} | ${mebibytes(workerGrowth)} | ${mebibytes(growth)} |`,
  );
}
await checker.close();
rmSync(directory, { recursive: true });
console.log(`\ngrowth    ${mebibytes(worst)} (goal: less than ${mebibytes(goalBytes)})`);
process.exit(worst < goalBytes ? 0 : 1);
