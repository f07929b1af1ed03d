import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { principalOf, requireRoleInCourses } from '../auth/authenticate.ts';
import { graderRoles } from '../auth/roles.ts';
import { AppError, type FieldErrors, invalid } from '../errors/appError.ts';
import { pdfHeaderErrors } from '../files/pdfErrors.ts';
import { pdfTextField } from '../files/pdfTextField.ts';
import type { ReceivedForm } from '../files/receiveForm.ts';
import { detailResponse, sendDetail } from '../grading/detailResponse.ts';
import { readIdempotencyKey } from '../http/idempotencyKey.ts';
import { receivedAt } from '../http/receiptTime.ts';
import { checkInput, flag, recordId } from '../http/validation.ts';
import type { ReceivePdfs, SubmissionRoutes } from '../submissions/dependencies.ts';
import { type HandedIn, type HandedInWork, type HandInTarget, handIn, SubmissionExists } from './handIn.ts';
import { requireTeachersItem } from './itemOfPath.ts';

/** @param field the form field of the files */
export const handInFields = (field: string) =>
  z.object({ student_id: recordId(), replace: flag.default(false), [field]: pdfTextField() });

/**
 * `POST /api/v3/grading/{kind}/{item_id}/submissions`: teachers hand in for a student.
 * @param receive reads a form with the files of one submission
 */
export function handInRoutes(
  dependencies: SubmissionRoutes,
  target: HandInTarget,
  receive: ReceivePdfs,
): Router {
  const { grading, verify } = dependencies;
  const schema = handInFields(target.field);
  const router = Router();
  const grader = requireRoleInCourses(verify, graderRoles);

  router.post(`/api/v3/grading/${grading.kind.name}/:item_id/submissions`, grader, async (req, res) => {
    const item = await requireTeachersItem(grading, req, res);
    const { attestation, isNew } = await received(item, req, res).catch(async (error: unknown) => {
      throw error instanceof SubmissionExists ? await submissionExists(req, res, error) : error;
    });
    await dependencies.sendReceipt(res, attestation);
    const detail = await grading.details.get(attestation.submissionId, principalOf(res).userId);
    await sendDetail(grading, req, res.status(isNew ? 201 : 200), detail);
  });

  // Ends the form before the response, so that its slot is free for the caller's next upload (D46).
  async function received(
    { id: itemId, courseId }: { id: number; courseId: number },
    req: Request,
    res: Response,
  ): Promise<HandedIn> {
    const { userId } = principalOf(res);
    await using form = await receive(req, res, { userId });
    const work = { ...readWork(form), itemId, courseId, submittedBy: userId };
    const key = readIdempotencyKey(req, userId, contentOf(work));
    return await dependencies.idempotency.once(key, () =>
      handIn(dependencies, target, { ...work, receivedAt: new Date(receivedAt(res)) }, key),
    );
  }

  function readWork({ fields, files }: ReceivedForm): Pick<HandedInWork, 'studentId' | 'replaces' | 'files'> {
    const checked = checkInput(schema, fields);
    const errors: FieldErrors = { ...checked.errors, ...pdfHeaderErrors(target.field, files) };
    if (checked.errors || Object.keys(errors).length > 0) throw invalid(errors);
    return { studentId: Number(checked.value.student_id), replaces: checked.value.replace === true, files };
  }

  async function submissionExists(req: Request, res: Response, { id }: SubmissionExists): Promise<AppError> {
    const detail = await grading.details.get(id, principalOf(res).userId);
    const { data, tag } = await detailResponse(grading, req, res, detail);
    return new AppError('conflict', 'Submission exists', {
      reason: 'submission_exists',
      data,
      headers: { ETag: tag },
    });
  }

  return router;
}

// Identifies a repeated request, whose temporary files have other paths.
const contentOf = ({
  studentId,
  replaces,
  files,
}: Pick<HandedInWork, 'studentId' | 'replaces' | 'files'>) => ({
  ...{ studentId, replaces },
  files: files.map(({ name, sha256 }) => ({ name, sha256 })),
});
