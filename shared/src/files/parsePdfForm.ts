import type { z } from 'zod';
import { invalid } from '../errors/appError.ts';
import { checkInput } from '../http/validation.ts';
import type { PdfChecker } from './pdfChecker.ts';
import { pdfErrors } from './pdfErrors.ts';
import type { ReceivedFile } from './receiveForm.ts';

interface Form {
  fields: unknown;
  files: ReceivedFile[];
}

/**
 * Checks the fields of a form against a schema, and the files in its field `file`.
 * @throws AppError `invalid` with all errors of fields and files (D25)
 */
export async function parsePdfForm<T>(
  checker: PdfChecker,
  schema: z.ZodType<T>,
  { fields, files }: Form,
  userId: number,
): Promise<T> {
  const checked = checkInput(schema, fields);
  const fileErrors = await pdfErrors(checker, 'file', files, userId);
  if (checked.errors || Object.keys(fileErrors).length > 0)
    throw invalid({ ...checked.errors, ...fileErrors });
  return checked.value;
}
