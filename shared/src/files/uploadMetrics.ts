import { counter, gauge } from '../metrics/registry.ts';
import { collectAtScrape } from '../metrics/scrapeCollectors.ts';

const outcomes = ['received', 'invalid', 'too_large', 'refused', 'aborted', 'failed'] as const;

export type UploadOutcome = (typeof outcomes)[number];

const forms = counter(
  'gradeway_uploads_total',
  'Multipart forms by outcome. `received` does not mean accepted; `refused` means rejected before the body because of the user; `failed` is a disk error, all others are errors of the client',
  ['outcome'],
);
const bytes = counter('gradeway_upload_bytes_total', 'Bytes received in files of multipart forms', [
  'outcome',
]);
const inFlight = gauge('gradeway_uploads_in_flight', 'Multipart forms being received');
const queued = gauge(
  'gradeway_uploads_waiting',
  'Multipart forms waiting for a slot, most of them before their body is read',
);
inFlight.set(0);
queued.set(0);
for (const outcome of outcomes) {
  forms.inc({ outcome }, 0);
  bytes.inc({ outcome }, 0);
}

/** Starts measuring the upload of a form. Returns a function that ends the measurement. */
export function measureUpload(): (outcome: UploadOutcome, size: number) => void {
  inFlight.inc();
  return (outcome, size) => {
    inFlight.dec();
    forms.inc({ outcome });
    bytes.inc({ outcome }, size);
  };
}

/** Measures the number of waiting uploads on each scrape. */
export function measureUploadQueue(waiting: () => number): void {
  collectAtScrape({ collect: () => queued.set(waiting()), clear: () => queued.set(0) });
}
