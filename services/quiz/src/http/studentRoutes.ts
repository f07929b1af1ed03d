import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { type FieldErrors, invalid } from '@gradeway/shared/errors/appError';
import { pdfErrors } from '@gradeway/shared/files/pdfErrors';
import type { Attestation } from '@gradeway/shared/files/receipts';
import type { ReceivedForm } from '@gradeway/shared/files/receiveForm';
import { receivedAt } from '@gradeway/shared/http/app';
import { idempotencyKey } from '@gradeway/shared/http/idempotency';
import { linkedList, readPage } from '@gradeway/shared/http/pagination';
import { checkInput, requiredMessage } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import { type AnswerSheet, submitAnswerSheet } from '../domain/submitAnswerSheet.ts';
import type { Dependencies } from './dependencies.ts';
import { answerSheetFields } from './schemas.ts';
import { availableQuizView, ownSubmissionView } from './serializers.ts';

const listPage = { size: 15, largest: 100 };
const clockSkewMs = 60_000;

/** What students do: specification 9, and their own lists. */
export function studentRoutes(dependencies: Dependencies): Router {
  const { quizzes, starts, submissions, courses, clock, fileUrls, publicUrl } = dependencies;
  const router = Router();
  const student = requireRole(dependencies.verify, ['user']);

  router.post('/api/v3/quiz/submit-pdf', student, async (req, res) => {
    await using form = await dependencies.receiveForm(req, res);
    const sheet = await readSheet(form, new Date(receivedAt(res)));
    const studentId = principalOf(res).userId;
    const attestation = await dependencies.idempotency.once<Attestation>(
      idempotencyKey(req, studentId, contentOf(sheet)),
      (noteResult) => submitAnswerSheet(dependencies, { ...sheet, studentId }, noteResult),
    );
    await dependencies.sendReceipt(res, attestation);
    res.json({ status: true, message: 'Submitted successfully' });
  });

  router.get('/api/v3/quiz/available', student, async (req, res) => {
    const page = readPage(req.query, listPage);
    const { userId: studentId } = principalOf(res);
    const listed = await quizzes.pageOfCourses(await courses.paidCourses(studentId), page);
    const quizIds = listed.quizzes.map(({ id }) => id);
    const startOf = await starts.ofStudent(studentId, quizIds);
    const urls = fileUrls(req);
    const items = listed.quizzes.map((quiz) =>
      availableQuizView(quiz, { studentId, startedAt: startOf.get(quiz.id) ?? null }, urls, clock),
    );
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.get('/api/v3/quiz/submissions', student, async (req, res) => {
    const page = readPage(req.query, listPage);
    const listed = await submissions.pageOfStudent(principalOf(res).userId, page);
    const urls = fileUrls(req);
    const items = listed.submissions.map((submission) => ownSubmissionView(submission, urls, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  // Everything that is wrong with an upload is said at once: its fields and its file (D25).
  async function readSheet(form: ReceivedForm, received: Date): Promise<Omit<AnswerSheet, 'studentId'>> {
    const checked = checkInput(answerSheetFields(clock), form.fields);
    const [file] = form.files;
    const errors: FieldErrors = {
      ...checked.errors,
      ...(await pdfErrors(dependencies.pdf, 'file', form.files)),
    };
    if (!file) errors.file = [requiredMessage('file')];
    if (!checked.errors && checked.value.startAt.getTime() > received.getTime() + clockSkewMs)
      errors.start_at = ['The start at may not be in the future.'];
    if (checked.errors || !file || Object.keys(errors).length > 0) throw invalid(errors);
    return { ...checked.value, file, receivedAt: received };
  }

  return router;
}

// What makes a repetition the same upload: not when it arrived, nor where its file is kept meanwhile.
const contentOf = ({ receivedAt: _, file, ...fields }: Omit<AnswerSheet, 'studentId'>) => ({
  ...fields,
  sha256: file.sha256,
});
