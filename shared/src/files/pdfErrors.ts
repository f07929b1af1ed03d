import type { FieldErrors } from '../errors/appError.ts';
import type { PdfChecker, PdfVerdict } from './pdfChecker.ts';
import type { ReceivedFile } from './receiveForm.ts';

const messages: Record<Exclude<PdfVerdict, 'valid'>, string> = {
  invalid: 'must be a valid PDF.',
  encrypted: 'must not be password protected.',
};

/** Validation errors of files that must be PDFs (D28), keyed by their form field; empty when all are valid. */
export async function pdfErrors(
  checker: PdfChecker,
  field: string,
  files: ReceivedFile[],
  userId: number,
): Promise<FieldErrors> {
  const verdicts = await Promise.all(files.map(({ path }) => checker.check(path, userId)));
  const wrong = new Set(verdicts.filter((verdict) => verdict !== 'valid'));
  // D28 prescribes "The file", independent of the field name.
  return wrong.size === 0 ? {} : { [field]: [...wrong].map((verdict) => `The file ${messages[verdict]}`) };
}
