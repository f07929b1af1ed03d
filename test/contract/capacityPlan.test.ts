import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { exam, planFor, planTable, uploadRate } from '../../bench/capacityPlan.ts';

const document = new URL('../../docs/capacity.md', import.meta.url);
const table = /(?<=<!-- plan -->\n\n)[\s\S]*?(?=\n\n<!-- \/plan -->)/;

describe('the plan past one machine', () => {
  test('docs/capacity.md has the computed plan, which WRITE_DOCS=1 writes', async () => {
    const text = await readFile(document, 'utf8');
    const computed = planTable([10_000, 1_000_000, 50_000_000]);
    if (process.env.WRITE_DOCS) await writeFile(document, text.replace(table, computed));
    else expect(table.exec(text)?.[0]).toBe(computed);
  });

  test.each([1_000, 10_000, 1_000_000])('no upload of %i students waits too long', (students) => {
    expect(longestWait(students, uploadRate(students))).toBeCloseTo(exam.longestWaitSeconds, 0);
    expect(longestWait(students, uploadRate(students) * 0.9)).toBeGreaterThan(exam.longestWaitSeconds);
  });

  test('the plan grows with the students, except for standby replicas', () => {
    const [small, large] = [planFor(1_000_000), planFor(10_000_000)];
    for (const process of ['gateway', 'auth', 'courses', 'quiz'] as const) {
      expect(large.cores[process] / small.cores[process]).toBeCloseTo(10, 5);
      expect(large.replicas[process]).toBeGreaterThan(small.replicas[process] * 5);
    }
  });
});

// The queue, second by second.
function longestWait(students: number, rate: number): number {
  const [step, { windowSeconds }] = [0.1, exam];
  const arrivedAt = (time: number) => students * Math.min(1, time / windowSeconds) ** 2;
  let [queue, longest] = [0, 0];
  for (let time = 0; time < windowSeconds; time += step) {
    queue = Math.max(0, queue + arrivedAt(time + step) - arrivedAt(time) - rate * step);
    longest = Math.max(longest, queue / rate);
  }
  return longest;
}
