import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { type FieldErrors, invalid, notFound } from '@gradeway/shared/errors/appError';
import { pdfHeaderErrors } from '@gradeway/shared/files/pdfErrors';
import type { Attestation } from '@gradeway/shared/files/receipts';
import type { ReceivedForm } from '@gradeway/shared/files/receiveForm';
import { serializeFeedback, serializeWork } from '@gradeway/shared/grading/feedback';
import { readIdempotencyKey } from '@gradeway/shared/http/idempotencyKey';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { receivedAt } from '@gradeway/shared/http/receiptTime';
import { checkInput, requiredMessage } from '@gradeway/shared/http/validation';
import { ownTimes } from '@gradeway/shared/items/ownTimes';
import { reviewAllowance } from '@gradeway/shared/questions/reviews/reviewAllowance';
import { type Request, type Response, Router } from 'express';
import type { AnswerSheet } from '../domain/answerSheet.ts';
import { requireAccess } from '../domain/requireAccess.ts';
import { submitAnswerSheet } from '../domain/submitAnswerSheet.ts';
import type { Dependencies } from './dependencies.ts';
import { accessSchema, answerSheetSchema } from './schemas.ts';
import { serializeAvailableQuiz, serializeOwnSubmission } from './serializers.ts';

const clockSkewMs = 60_000;

type SheetUpload = Omit<AnswerSheet, 'studentId' | 'receivedAt'>;

/** Routes for students: specification 9, and the lists of their quizzes and submissions. */
export function studentRoutes(dependencies: Dependencies): Router {
  const { quizzes, attemptStarts, submissions, courses, clock, fileUrls, publicUrl } = dependencies;
  const router = Router();
  const student = requireRole(dependencies.verify, ['user']);

  router.post('/api/v3/quiz/submit-pdf', student, async (req, res) => {
    const attestation = await receiveSheet(req, res);
    await dependencies.sendReceipt(res, attestation);
    res.json({ status: true, message: 'Submitted successfully' });
  });

  router.get('/api/v3/quiz/available', student, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const { userId: studentId } = principalOf(res);
    const { courseIds, timeFactors } = await courses.paidCourses(studentId);
    const { rows, total } = await quizzes.pageOfStudent(studentId, courseIds, page);
    const quizIds = rows.map(({ id }) => id);
    const startOf = await attemptStarts.ofStudent(studentId, quizIds);
    const urls = fileUrls(req);
    const items = rows.map((quiz) => {
      const times = ownTimes(quiz, timeFactors.get(quiz.courseId));
      const viewer = { studentId, startedAt: startOf.get(quiz.id) ?? null, times };
      return serializeAvailableQuiz(quiz, viewer, urls, clock);
    });
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.get('/api/v3/quiz/submissions', student, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const { rows, total } = await submissions.pageOfStudent(principalOf(res).userId, page);
    const urls = fileUrls(req);
    const items = rows.map((submission) => serializeOwnSubmission(submission, urls, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.get('/api/v3/quiz/submissions/:id', student, async (req, res) => {
    const { userId } = principalOf(res);
    const id = readId(req.params.id);
    const submission = await submissions.findOfStudent(userId, id);
    const detail = submission && (await dependencies.grading.details.findWithNames(id));
    if (!detail) throw notFound();
    const own = serializeOwnSubmission(submission, fileUrls(req), clock);
    const annotatedUrls = dependencies.grading.annotatedUrls(req);
    const feedback = serializeFeedback(detail, (submissionId) => annotatedUrls(submissionId, userId));
    const files = await dependencies.grading.pages.measured(detail.files, userId);
    const reviews = await reviewAllowance(dependencies.grading, id);
    res.json({ data: { ...own, ...feedback, ...serializeWork(detail, files), reviews } });
  });

  // Ends the form before the response, so that its slot is free for the client's next upload (D46).
  async function receiveSheet(req: Request, res: Response): Promise<Attestation> {
    const { userId: studentId } = principalOf(res);
    await using form = await dependencies.receiveForm(req, res, {
      userId: studentId,
      beforeFiles: (fields) => requireKnownAccess(fields, studentId),
    });
    const received = new Date(receivedAt(res));
    const upload = readUpload(form, received);
    const key = readIdempotencyKey(req, studentId, contentOf(upload));
    return await dependencies.idempotency.once(key, () =>
      submitAnswerSheet(dependencies, { ...upload, studentId, receivedAt: received }, key),
    );
  }

  // Clients may send the file before the fields. Access is then checked after the upload.
  async function requireKnownAccess(fields: unknown, studentId: number): Promise<void> {
    const known = accessSchema.safeParse(fields);
    if (known.success) await requireAccess(dependencies, { ...known.data, studentId });
  }

  // The response to an invalid upload lists all errors of its fields and its file (D25).
  function readUpload(form: ReceivedForm, received: Date): SheetUpload {
    const checked = checkInput(answerSheetSchema(clock), form.fields);
    const [file] = form.files;
    const errors: FieldErrors = { ...checked.errors, ...pdfHeaderErrors('file', form.files) };
    if (!file) errors.file = [requiredMessage('file')];
    if (!checked.errors && checked.value.startAt.getTime() > received.getTime() + clockSkewMs)
      errors.start_at = ['The start time may not be in the future.'];
    if (checked.errors || !file || Object.keys(errors).length > 0) throw invalid(errors);
    return { ...checked.value, file };
  }

  return router;
}

// Identifies a repeated upload, which arrives later and in a different temporary file.
const contentOf = ({ file, ...fields }: SheetUpload) => ({ ...fields, sha256: file.sha256 });
