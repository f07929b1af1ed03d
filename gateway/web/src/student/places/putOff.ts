const key = 'gradeway.places.later';

/** Identifies an upload: a later one asks again. */
interface Upload {
  submissionId: number;
  submittedAt: string;
}

const nameOf = ({ submissionId, submittedAt }: Upload) => `${submissionId} ${submittedAt}`;

/** Whether the student has postponed choosing the pages for the newest upload. */
export function isPutOff(upload: Upload): boolean {
  try {
    return localStorage.getItem(key) === nameOf(upload);
  } catch {
    return false;
  }
}

/** Students are asked only about the newest upload, so only one is remembered. */
export function putOff(upload: Upload): void {
  try {
    localStorage.setItem(key, nameOf(upload));
  } catch {
    // The question appears again after a reload.
  }
}
