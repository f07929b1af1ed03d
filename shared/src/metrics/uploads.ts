import { counter, gauge } from './registry.ts';

const outcomes = ['received', 'invalid', 'too_large', 'aborted', 'failed'] as const;

export type UploadOutcome = (typeof outcomes)[number];

const forms = counter(
  'gradeway_uploads_total',
  'Multipart forms. Received is not yet accepted; failed is our disk’s fault, the others the client’s',
  ['outcome'],
);
const bytes = counter('gradeway_upload_bytes_total', 'Bytes of files in them, as far as they were read', [
  'outcome',
]);
const inFlight = gauge('gradeway_uploads_in_flight', 'Multipart forms that are arriving');
inFlight.set(0);
for (const outcome of outcomes) {
  forms.inc({ outcome }, 0);
  bytes.inc({ outcome }, 0);
}

/** Measures a form that begins to arrive. What it returns ends that. */
export function startUpload(): (outcome: UploadOutcome, size: number) => void {
  inFlight.inc();
  return (outcome, size) => {
    inFlight.dec();
    forms.inc({ outcome });
    bytes.inc({ outcome }, size);
  };
}
