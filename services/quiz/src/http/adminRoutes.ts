import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import { inTransaction } from '@gradeway/shared/database/connection';
import { type FieldErrors, invalid, notFound, preconditionFailed } from '@gradeway/shared/errors/appError';
import { pdfErrors } from '@gradeway/shared/files/pdfErrors';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import { entityTag, ifMatch } from '@gradeway/shared/http/entityTag';
import { idempotencyKey } from '@gradeway/shared/http/idempotency';
import { jsonBody, jsonBodyOrForm } from '@gradeway/shared/http/jsonBody';
import { linkedList, linkedListWithPath, readPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { checkInput, parseInput } from '@gradeway/shared/http/validation';
import { type Request, Router } from 'express';
import type { z } from 'zod';
import { changeQuiz, requireOrder } from '../domain/changeQuiz.ts';
import { createQuiz } from '../domain/createQuiz.ts';
import { type GradingResult, gradeSubmission } from '../domain/gradeSubmission.ts';
import type { Dependencies } from './dependencies.ts';
import { gradeFields, quizChanges, quizFields } from './schemas.ts';
import { flagsView, managedQuizView, quizView, submissionView } from './serializers.ts';

const quizzesPage = { size: 15, largest: 100 };
const historyPage = { size: 50, largest: 100 };

/** What administrators do: specification 5 to 7, and quizzes themselves. */
export function adminRoutes(dependencies: Dependencies): Router {
  const { quizzes, submissions, submissionLists, clock, fileUrls, publicUrl } = dependencies;
  const router = Router();
  const admin = requireRole(dependencies.verify, ['admin']);

  router.get('/api/v3/quiz/pdf-quizzes', admin, async (req, res) => {
    const page = readPage(req.query, quizzesPage);
    const listed = await quizzes.page(page);
    const urls = fileUrls(req);
    const answers = await submissionLists.ofQuizzes(listed.quizzes.map(({ id }) => id));
    const answersOf = Map.groupBy(answers, ({ quizId }) => quizId);
    const items = listed.quizzes.map((quiz) => quizView(quiz, answersOf.get(quiz.id) ?? [], urls));
    res.json(linkedListWithPath({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.get('/api/v3/quiz/pdf-quizzes/:id', admin, async (req, res) => {
    const quiz = await quizzes.find(readId(req.params.id));
    if (!quiz) throw notFound();
    res.json({ data: quizView(quiz, await submissionLists.ofQuizzes([quiz.id]), fileUrls(req)) });
  });

  router.post('/api/v3/quiz/pdf-quizzes/grade/:grade_id', admin, jsonBody, async (req, res) => {
    const submissionId = readId(req.params.grade_id);
    const gradedBy = principalOf(res).userId;
    const grading = { ...parseInput(gradeFields, req.body), submissionId, gradedBy, ifMatch: ifMatch(req) };
    const result = await dependencies.idempotency.once<GradingResult>(
      idempotencyKey(req, gradedBy, grading),
      (noteResult) => gradeSubmission(dependencies, grading, noteResult),
    );
    if (result.stale) throw preconditionFailed(await submissionAnswer(submissionId, req));
    res.set('ETag', result.tag).json({ status: true, message: 'Grade Saved Successfully' });
  });

  router.get('/api/v3/quiz/pdf-quizzes/grade/:grade_id/history', admin, async (req, res) => {
    const submissionId = readId(req.params.grade_id);
    const page = readPage(req.query, historyPage);
    const submission = await submissions.find(submissionId);
    if (!submission) throw notFound();
    const { gradings, total } = await submissions.gradings(submissionId, page);
    // After the first grading no other sheet is taken: every grading was of this one.
    const flags = flagsView(await submissions.beginningOf(submissionId), clock);
    const items = gradings.map(({ grade, totalGrade, gradedBy, gradedAt }) => ({
      grade,
      total_grade: totalGrade,
      graded_by: gradedBy,
      graded_at: clock.format(gradedAt),
      flags,
    }));
    const list = linkedList({ url: publicUrl.of(req), page, items, total });
    res.set('ETag', entityTag(submission)).json({ ...list, flags });
  });

  router.post('/api/v3/quiz/pdf-quizzes', admin, async (req, res) => {
    await using form = await dependencies.receiveForm(req, res);
    const properties = await readForm(quizFields(clock), form.fields, form.files);
    requireOrder(properties);
    const quiz = await createQuiz(dependencies, properties, form.files);
    res.status(201).json({ data: managedQuizView(quiz, [], fileUrls(req), clock) });
  });

  router.patch('/api/v3/quiz/pdf-quizzes/:id', admin, jsonBodyOrForm, async (req, res) => {
    const id = readId(req.params.id);
    await using form = req.is('multipart/form-data') ? await dependencies.receiveForm(req, res) : undefined;
    const { fields, files } = form ?? { fields: req.body, files: [] };
    const quiz = await changeQuiz(dependencies, id, await readForm(quizChanges(clock), fields, files), files);
    const answers = await submissionLists.ofQuizzes([id]);
    res.json({ data: managedQuizView(quiz, answers, fileUrls(req), clock) });
  });

  router.delete('/api/v3/quiz/pdf-quizzes/:id', admin, async (req, res) => {
    const id = readId(req.params.id);
    const deleted = await inTransaction(dependencies.sequelize, (transaction) =>
      quizzes.delete(id, transaction),
    );
    if (!deleted) throw notFound();
    res.status(204).end();
  });

  async function submissionAnswer(id: number, req: Request) {
    const listed = await submissionLists.get(id);
    return submissionView(listed, fileUrls(req));
  }

  // Everything that is wrong with a form is said at once: its fields and its file.
  async function readForm<T>(schema: z.ZodType<T>, fields: unknown, files: ReceivedFile[]): Promise<T> {
    const checked = checkInput(schema, fields);
    const errors: FieldErrors = { ...checked.errors, ...(await pdfErrors(dependencies.pdf, 'file', files)) };
    if (checked.errors || Object.keys(errors).length > 0) throw invalid(errors);
    return checked.value;
  }

  return router;
}
