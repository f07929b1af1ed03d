import { type FieldErrors, invalid } from '@gradeway/shared/appError';
import { principalOf, requireRole } from '@gradeway/shared/authenticate';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import { receivedAt } from '@gradeway/shared/httpApp';
import { idempotencyKey } from '@gradeway/shared/idempotency';
import { linkedList, readPage } from '@gradeway/shared/pagination';
import { readId } from '@gradeway/shared/pathId';
import { pdfErrors } from '@gradeway/shared/pdf/pdfErrors';
import type { Attestation } from '@gradeway/shared/receipts';
import { requiredMessage } from '@gradeway/shared/validation';
import { Router } from 'express';
import { submitHomework } from '../domain/submitHomework.ts';
import type { Parts } from './parts.ts';
import { ownHomeworkView, submissionView, writingFor } from './view.ts';

const listPage = { size: 15, largest: 100 };

/** What students do: find their homework and hand it in. */
export function studentRoutes(parts: Parts): Router {
  const { homeworks, submissionLists, courses, publicUrl } = parts;
  const router = Router();
  const student = requireRole(parts.verify, ['user']);

  router.get('/api/v3/homeworks', student, async (req, res) => {
    const page = readPage(req.query, listPage);
    const { userId } = principalOf(res);
    const listed = await homeworks.page(page, await courses.paidCourses(userId));
    const classIds = listed.homeworks.map(({ id }) => id);
    const own = await submissionLists.ofStudent(userId, classIds);
    const ownOf = new Map(own.map((submission) => [submission.classId, submission]));
    const writing = writingFor(parts, req);
    const items = listed.homeworks.map((homework) =>
      ownHomeworkView(homework, ownOf.get(homework.id), writing),
    );
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.post('/api/v3/homeworks/:class_id/submissions', student, async (req, res) => {
    const classId = readId(req.params.class_id);
    await using form = await parts.receiveSubmission(req, res);
    await requirePdfs(form.files);
    const studentId = principalOf(res).userId;
    const upload = { classId, studentId, receivedAt: new Date(receivedAt(res)), files: form.files };
    const attestation = await parts.idempotency.once<Attestation>(
      idempotencyKey(req, studentId, contentOf(form.files)),
      (noteResult) => submitHomework(parts, upload, noteResult),
    );
    await parts.sendReceipt(res, attestation);
    const submission = await submissionLists.get(attestation.submissionId);
    res.status(201).json({ data: submissionView(submission, writingFor(parts, req)) });
  });

  async function requirePdfs(files: ReceivedFile[]): Promise<void> {
    const errors: FieldErrors = await pdfErrors(parts.pdf, 'files', files);
    if (files.length === 0) errors.files = [requiredMessage('files')];
    if (Object.keys(errors).length > 0) throw invalid(errors);
  }

  return router;
}

// What makes a repetition the same upload: the files and their names, not where they are kept meanwhile.
const contentOf = (files: ReceivedFile[]) => files.map(({ name, sha256 }) => ({ name, sha256 }));
