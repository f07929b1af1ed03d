import type { FieldErrors } from '../errors/appError.ts';
import type { PdfChecker, PdfVerdict } from './pdfChecker.ts';
import type { ReceivedFile } from './receiveForm.ts';

const complaints: Record<Exclude<PdfVerdict, 'valid'>, string> = {
  invalid: 'must be a valid PDF.',
  encrypted: 'must not be password protected.',
};

/** What is wrong with files that must be PDFs (D28), under the name of their form field; empty when nothing is. */
export async function pdfErrors(
  checker: PdfChecker,
  field: string,
  files: ReceivedFile[],
): Promise<FieldErrors> {
  const verdicts = await Promise.all(files.map(({ path }) => checker.check(path)));
  const wrong = new Set(verdicts.filter((verdict) => verdict !== 'valid'));
  // "The file" is the message of D28 whatever the field is called.
  return wrong.size === 0 ? {} : { [field]: [...wrong].map((verdict) => `The file ${complaints[verdict]}`) };
}
