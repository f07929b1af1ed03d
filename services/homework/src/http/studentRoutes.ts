import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { type FieldErrors, invalid } from '@gradeway/shared/errors/appError';
import { pdfErrors } from '@gradeway/shared/files/pdfErrors';
import type { Attestation } from '@gradeway/shared/files/receipts';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import { receivedAt } from '@gradeway/shared/http/app';
import { idempotencyKey } from '@gradeway/shared/http/idempotency';
import { linkedList, readPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { requiredMessage } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import { submitHomework } from '../domain/submitHomework.ts';
import type { Dependencies } from './dependencies.ts';
import { ownHomeworkView, submissionView, writingFor } from './serializers.ts';

const listPage = { size: 15, largest: 100 };

/** What students do: find their homework and hand it in. */
export function studentRoutes(dependencies: Dependencies): Router {
  const { homeworks, submissionLists, courses, publicUrl } = dependencies;
  const router = Router();
  const student = requireRole(dependencies.verify, ['user']);

  router.get('/api/v3/homeworks', student, async (req, res) => {
    const page = readPage(req.query, listPage);
    const { userId } = principalOf(res);
    const listed = await homeworks.page(page, await courses.paidCourses(userId));
    const classIds = listed.homeworks.map(({ id }) => id);
    const own = await submissionLists.ofStudent(userId, classIds);
    const ownOf = new Map(own.map((submission) => [submission.classId, submission]));
    const writing = writingFor(dependencies, req);
    const items = listed.homeworks.map((homework) =>
      ownHomeworkView(homework, ownOf.get(homework.id), writing),
    );
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.post('/api/v3/homeworks/:class_id/submissions', student, async (req, res) => {
    const classId = readId(req.params.class_id);
    await using form = await dependencies.receiveSubmission(req, res);
    await requirePdfs(form.files);
    const studentId = principalOf(res).userId;
    const upload = { classId, studentId, receivedAt: new Date(receivedAt(res)), files: form.files };
    const attestation = await dependencies.idempotency.once<Attestation>(
      idempotencyKey(req, studentId, contentOf(form.files)),
      (noteResult) => submitHomework(dependencies, upload, noteResult),
    );
    await dependencies.sendReceipt(res, attestation);
    const submission = await submissionLists.get(attestation.submissionId);
    res.status(201).json({ data: submissionView(submission, writingFor(dependencies, req)) });
  });

  async function requirePdfs(files: ReceivedFile[]): Promise<void> {
    const errors: FieldErrors = await pdfErrors(dependencies.pdf, 'files', files);
    if (files.length === 0) errors.files = [requiredMessage('files')];
    if (Object.keys(errors).length > 0) throw invalid(errors);
  }

  return router;
}

// What makes a repetition the same upload: the files and their names, not where they are kept meanwhile.
const contentOf = (files: ReceivedFile[]) => files.map(({ name, sha256 }) => ({ name, sha256 }));
