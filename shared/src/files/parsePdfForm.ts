import type { z } from 'zod';
import { invalid } from '../errors/appError.ts';
import { checkInput } from '../http/validation.ts';
import { pdfHeaderErrors } from './pdfErrors.ts';
import type { ReceivedFile } from './receiveForm.ts';

interface Form {
  fields: unknown;
  files: ReceivedFile[];
}

/**
 * Validates the fields of a form against a schema, and the PDF headers of the files in its field `file`.
 * @throws AppError `invalid` with all errors of fields and files (D25)
 */
export function parsePdfForm<T>(schema: z.ZodType<T>, { fields, files }: Form): T {
  const checked = checkInput(schema, fields);
  const fileErrors = pdfHeaderErrors('file', files);
  if (checked.errors || Object.keys(fileErrors).length > 0)
    throw invalid({ ...checked.errors, ...fileErrors });
  return checked.value;
}
