import type { Request, Response } from 'express';
import type { z } from 'zod';
import { principalOf } from '../auth/authenticate.ts';
import { type FieldErrors, invalid } from '../errors/appError.ts';
import { pdfHeaderErrors } from '../files/pdfErrors.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import { checkInput, recordId } from '../http/validation.ts';
import type { ReceivePdfs } from '../submissions/dependencies.ts';
import type { ItemUpload, ManagedKind } from './managedKind.ts';
import { targetCourseErrors } from './targetCourse.ts';

type Dependencies = Pick<GraderDependencies, 'teaching' | 'courseTitles'>;
type Targets = Pick<ManagedKind<unknown, unknown>, 'targetField' | 'targetCourse'>;

/**
 * Reads the settings and the PDF of an item from JSON or a form, and passes them to a use case. Deletes the received
 * file, unless it was stored, before the response, so that its slot is free for the client's next upload (D46).
 * @throws AppError `invalid` with all errors of fields and files (D25)
 */
export async function receiveItem<Given, Result>(
  dependencies: Dependencies,
  req: Request,
  res: Response,
  { receiveForm, schema, targets }: { receiveForm: ReceivePdfs; schema: z.ZodType<Given>; targets?: Targets },
  use: (given: Given, upload: ItemUpload) => Promise<Result>,
): Promise<Result> {
  const { userId } = principalOf(res);
  await using form = req.is('multipart/form-data') ? await receiveForm(req, res, { userId }) : undefined;
  const { fields, files } = form ?? { fields: req.body, files: [] };
  const targetErrors = targets && (await errorsOfTarget(dependencies, targets, fields, res));
  const checked = checkInput(schema, fields);
  const errors: FieldErrors = { ...targetErrors, ...checked.errors, ...pdfHeaderErrors('file', files) };
  if (checked.errors || Object.keys(errors).length > 0) throw invalid(errors);
  return await use(checked.value, { files, userId });
}

/** Checks the course or the class that a body names, if any. @throws AppError `forbidden` for a grader of the course */
export async function errorsOfTarget(
  dependencies: Dependencies,
  { targetField, targetCourse }: Targets,
  fields: unknown,
  res: Response,
): Promise<FieldErrors | undefined> {
  const given = recordId().safeParse((fields as Record<string, unknown> | undefined)?.[targetField]);
  if (!given.success) return undefined;
  const courseId = await targetCourse(given.data);
  return targetCourseErrors(dependencies, principalOf(res), targetField, courseId);
}
