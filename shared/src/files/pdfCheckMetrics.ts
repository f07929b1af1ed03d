import { measureQueuedWork } from '../metrics/queuedWork.ts';
import { gauge, histogram } from '../metrics/registry.ts';

/** After `failed` the response is 503, since nothing is known about the PDF. */
export type PdfOutcome = (typeof outcomes)[number];

const outcomes = ['valid', 'invalid', 'encrypted', 'timeout', 'out_of_memory', 'failed'] as const;

const duration = histogram(
  'gradeway_pdf_check_duration_seconds',
  'Duration of PDF checks, excluding the wait for a worker. After timeout and out_of_memory, the PDF was rejected (422); after failed, the response was 503',
  [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10],
  ['outcome'],
);
const waiting = gauge('gradeway_pdf_checks_waiting', 'PDFs that are waiting for a worker');
waiting.set(0);
for (const outcome of outcomes) duration.zero({ outcome });

/** Starts measuring a check that waits for a worker. `started` ends the wait, `ended` the check. */
export const measurePdfCheck = () => measureQueuedWork<PdfOutcome>(waiting, duration);
