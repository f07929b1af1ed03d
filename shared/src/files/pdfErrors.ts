import { type FieldErrors, invalid } from '../errors/appError.ts';
import type { PdfChecker, PdfVerdict } from './pdfChecker.ts';
import type { ReceivedFile } from './receiveForm.ts';

const messages: Record<Exclude<PdfVerdict, 'valid'>, string> = {
  invalid: 'must be a valid PDF.',
  encrypted: 'must not be password protected.',
};

/**
 * Returns validation errors for files without a PDF header, keyed by their form field; empty if all have one. Does not
 * parse the files: {@link requirePdfs} does, after the user's access has been checked (D45).
 */
export function pdfHeaderErrors(field: string, files: ReceivedFile[]): FieldErrors {
  return fieldErrors(
    field,
    files.map(({ hasPdfHeader }) => (hasPdfHeader ? 'valid' : 'invalid')),
  );
}

/** Parses files that must be PDFs. @throws AppError `invalid` with the errors of their form field (D28) */
export async function requirePdfs(
  checker: PdfChecker,
  field: string,
  files: readonly ReceivedFile[],
  userId: number,
): Promise<void> {
  const errors = fieldErrors(field, await Promise.all(files.map(({ path }) => checker.check(path, userId))));
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

function fieldErrors(field: string, verdicts: PdfVerdict[]): FieldErrors {
  const wrong = new Set(verdicts.filter((verdict) => verdict !== 'valid'));
  // D28 prescribes "The file", regardless of the field name.
  return wrong.size === 0 ? {} : { [field]: [...wrong].map((verdict) => `The file ${messages[verdict]}`) };
}
