import { gauge, histogram } from './registry.ts';

const outcomes = ['valid', 'invalid', 'encrypted', 'timeout', 'out_of_memory', 'failed'] as const;

const duration = histogram(
  'gradeway_pdf_check_duration_seconds',
  'Checks of PDFs, without the wait for a worker. Those that ended by timeout, out of memory or failed were refused',
  [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ['outcome'],
);
const waiting = gauge('gradeway_pdf_checks_waiting', 'Files that wait for a worker to check them');
waiting.set(0);
for (const outcome of outcomes) duration.zero({ outcome });

/** Measures one check: from here it waits; `started` and `ended` tell what becomes of it. */
export function startPdfCheck() {
  let startedAt: number | undefined;
  waiting.inc();
  return {
    started() {
      waiting.dec();
      startedAt = performance.now();
    },
    ended(outcome: (typeof outcomes)[number]) {
      // One that never began waited until the checker was closed.
      if (startedAt === undefined) waiting.dec();
      else duration.observe({ outcome }, (performance.now() - startedAt) / 1000);
    },
  };
}
