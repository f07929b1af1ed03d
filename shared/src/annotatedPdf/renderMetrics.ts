import { measureQueuedWork } from '../metrics/queuedWork.ts';
import { gauge, histogram } from '../metrics/registry.ts';

/** After `failed` the response was 503; after every other outcome except `drawn` it was 409. */
export type RenderOutcome = (typeof outcomes)[number];

const outcomes = ['drawn', 'encrypted', 'damaged', 'timeout', 'out_of_memory', 'failed'] as const;

const duration = histogram(
  'gradeway_pdf_drawing_duration_seconds',
  'Duration of rendering annotated PDFs, excluding the wait for a process. After failed, the response was 503; after all other outcomes except drawn, 409',
  [0.1, 0.25, 0.5, 1, 2.5, 5, 10, 25, 60],
  ['outcome'],
);
const waiting = gauge('gradeway_pdf_drawings_waiting', 'Annotated PDFs that are waiting for a process');
waiting.set(0);
for (const outcome of outcomes) duration.zero({ outcome });

/** Starts measuring a render that waits for a process. `started` ends the wait, `ended` the render. */
export const measurePdfRendering = () => measureQueuedWork<RenderOutcome>(waiting, duration);
