import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { type FieldErrors, invalid } from '@gradeway/shared/errors/appError';
import { pdfHeaderErrors } from '@gradeway/shared/files/pdfErrors';
import type { Attestation } from '@gradeway/shared/files/receipts';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import { serializeFeedback, serializeWork } from '@gradeway/shared/grading/feedback';
import { readIdempotencyKey } from '@gradeway/shared/http/idempotencyKey';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { receivedAt } from '@gradeway/shared/http/receiptTime';
import { requiredMessage } from '@gradeway/shared/http/validation';
import { ownTimes } from '@gradeway/shared/items/ownTimes';
import { reviewAllowance } from '@gradeway/shared/questions/reviews/reviewAllowance';
import { type Request, type Response, Router } from 'express';
import { homeworkNotFound } from '../domain/homework.ts';
import { requireAccess } from '../domain/requireAccess.ts';
import { submitHomework } from '../domain/submitHomework.ts';
import type { Dependencies } from './dependencies.ts';
import {
  serializeOwnHomework,
  serializeOwnSubmission,
  serializerContext,
  serializeSubmission,
} from './serializers.ts';

/** Routes for students: the list of their homework, and uploads. */
export function studentRoutes(dependencies: Dependencies): Router {
  const { homeworks, submissionQueries, courses, publicUrl } = dependencies;
  const router = Router();
  const student = requireRole(dependencies.verify, ['user']);

  router.get('/api/v3/homeworks', student, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const { userId } = principalOf(res);
    const { courseIds } = await courses.paidCourses(userId);
    const { rows, total } = await homeworks.pageOfStudent(userId, courseIds, page);
    const classIds = rows.map(({ id }) => id);
    const own = await submissionQueries.ofStudent(userId, classIds);
    const ownOf = new Map(own.map((submission) => [submission.classId, submission]));
    const context = serializerContext(dependencies, req);
    const items = rows.map((homework) =>
      serializeOwnHomework(
        homework,
        { studentId: userId, times: ownTimes(homework) },
        ownOf.get(homework.id),
        context,
      ),
    );
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.get('/api/v3/homeworks/submissions/:id', student, async (req, res) => {
    const { userId } = principalOf(res);
    const id = readId(req.params.id);
    const submission = await submissionQueries.findOfStudent(userId, id);
    const detail = submission && (await dependencies.grading.details.findWithNames(id));
    if (!detail) throw homeworkNotFound();
    const object = serializeOwnSubmission(submission, serializerContext(dependencies, req));
    const annotatedUrls = dependencies.grading.annotatedUrls(req);
    const feedback = serializeFeedback(detail, (submissionId) => annotatedUrls(submissionId, userId));
    const files = await dependencies.grading.pages.measured(detail.files, userId);
    const work = serializeWork(detail, files);
    const urlOf = new Map(object.files.map((file) => [file.id, file.url]));
    // Files may have been replaced since the object was read.
    const withUrls = work.files.flatMap((file) => {
      const url = urlOf.get(file.id);
      return url === undefined ? [] : [{ ...file, url }];
    });
    const reviews = await reviewAllowance(dependencies.grading, id);
    res.json({ data: { ...object, ...feedback, ...work, files: withUrls, reviews } });
  });

  router.post('/api/v3/homeworks/:class_id/submissions', student, async (req, res) => {
    const attestation = await receiveUpload(readId(req.params.class_id), req, res);
    await dependencies.sendReceipt(res, attestation);
    const { submissionId, studentId } = attestation;
    // Also the response to a repeated upload whose submission has been graded since.
    const submission = await submissionQueries.findOfStudent(studentId, submissionId);
    if (!submission) throw new Error(`submission ${submissionId} does not exist`);
    const data = serializeSubmission(submission, serializerContext(dependencies, req));
    res.status(201).json({ data });
  });

  // Ends the form before the response, so that its slot is free for the client's next upload (D46).
  async function receiveUpload(classId: number, req: Request, res: Response): Promise<Attestation> {
    const { userId: studentId } = principalOf(res);
    await using form = await dependencies.receiveSubmission(req, res, {
      userId: studentId,
      beforeFiles: async () => void (await requireAccess(dependencies, { classId, studentId })),
    });
    const { files } = form;
    requireFiles(files);
    const upload = { classId, studentId, receivedAt: new Date(receivedAt(res)), files };
    const key = readIdempotencyKey(req, studentId, contentOf(files));
    return await dependencies.idempotency.once(key, () => submitHomework(dependencies, upload, key));
  }

  return router;
}

function requireFiles(files: ReceivedFile[]): void {
  const errors: FieldErrors = pdfHeaderErrors('files', files);
  if (files.length === 0) errors.files = [requiredMessage('files')];
  if (Object.keys(errors).length > 0) throw invalid(errors);
}

// Identifies a repeated upload, whose temporary files have different paths.
const contentOf = (files: ReceivedFile[]) => files.map(({ name, sha256 }) => ({ name, sha256 }));
