import { principalOf, requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { limitOf, mayUseCourse, withinCourseLimit } from '@gradeway/shared/auth/courseLimit';
import { notFound } from '@gradeway/shared/errors/appError';
import { parsePdfForm } from '@gradeway/shared/files/parsePdfForm';
import { versionTag } from '@gradeway/shared/grading/entityTags';
import { gradeOnRequest } from '@gradeway/shared/grading/gradeOnRequest';
import { jsonBody, jsonBodyOrForm } from '@gradeway/shared/http/jsonBody';
import {
  historyPage,
  linkedList,
  linkedListWithPath,
  readPage,
  standardPage,
} from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { type Request, type Response, Router } from 'express';
import { changeQuiz } from '../domain/changeQuiz.ts';
import { createQuiz } from '../domain/createQuiz.ts';
import { deleteQuiz } from '../domain/deleteQuiz.ts';
import type { Quiz } from '../domain/quiz.ts';
import type { Dependencies } from './dependencies.ts';
import { gradeSchema, newQuizSchema, quizChangesSchema } from './schemas.ts';
import { serializeFlags, serializeManagedQuiz, serializeQuiz, serializeSubmission } from './serializers.ts';

/** Routes for administrators: specification 5 to 7, and the management of quizzes. */
export function adminRoutes(dependencies: Dependencies): Router {
  const { quizzes, quizPages, submissions, submissionQueries, grading, clock, fileUrls, publicUrl } =
    dependencies;
  const router = Router();
  const admin = requireRoleInCourses(dependencies.verify, ['admin']);
  const ofQuiz = [
    admin,
    withinCourseLimit(async (req) => (await quizzes.find(readId(req.params.id)))?.courseId),
  ];
  const ofSubmission = [
    admin,
    withinCourseLimit(async (req) => (await grading.details.itemOf(readId(req.params.grade_id)))?.courseId),
  ];

  router.get('/api/v3/quiz/pdf-quizzes', admin, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const { quizzes: listed, total } = await quizPages.page(page, limitOf(principalOf(res)));
    const urls = fileUrls(req);
    const items = listed.map((quiz) => serializeQuiz(quiz, quiz.submissions, urls));
    res.json(linkedListWithPath({ url: publicUrl.of(req), page, items, total }));
  });

  router.get('/api/v3/quiz/pdf-quizzes/:id', ...ofQuiz, async (req, res) => {
    const quiz = await quizzes.find(readId(req.params.id));
    if (!quiz) throw notFound();
    res.json({ data: serializeQuiz(quiz, await submissionQueries.ofQuizzes([quiz.id]), fileUrls(req)) });
  });

  router.post('/api/v3/quiz/pdf-quizzes/grade/:grade_id', ...ofSubmission, jsonBody, async (req, res) => {
    const submissionId = readId(req.params.grade_id);
    const gradedBy = principalOf(res).userId;
    const given = { ...parseInput(gradeSchema, req.body), submissionId, gradedBy };
    const present = async () => serializeSubmission(await submissionQueries.get(submissionId), fileUrls(req));
    const tag = await gradeOnRequest(grading, req, { given, content: given, present });
    res.set('ETag', tag).json({ status: true, message: 'Grade Saved Successfully' });
  });

  router.get('/api/v3/quiz/pdf-quizzes/grade/:grade_id/history', ...ofSubmission, async (req, res) => {
    const submissionId = readId(req.params.grade_id);
    const page = readPage(req.query, historyPage);
    const submission = await grading.gradable.find(submissionId);
    if (!submission) throw notFound();
    const { rows, total } = await grading.history.page(submissionId, page, 'gradings');
    // The flags of the current sheet. They apply to the gradings since its upload: no other sheet is accepted while the
    // grade is visible.
    const flags = serializeFlags(await submissions.attemptStart(submissionId), clock);
    const items = rows.map(({ grade, totalGrade, gradedBy, gradedAt }) => ({
      grade,
      total_grade: totalGrade,
      graded_by: gradedBy,
      graded_at: clock.format(gradedAt),
      flags,
    }));
    const list = linkedList({ url: publicUrl.of(req), page, items, total });
    res.set('ETag', versionTag(submission)).json({ ...list, flags });
  });

  router.post('/api/v3/quiz/pdf-quizzes', admin, async (req, res) => {
    const quiz = await receiveQuiz(req, res);
    res.status(201).json({ data: serializeManagedQuiz(quiz, [], fileUrls(req), clock) });
  });

  router.patch('/api/v3/quiz/pdf-quizzes/:id', ...ofQuiz, jsonBodyOrForm, async (req, res) => {
    const id = readId(req.params.id);
    const quiz = await receiveChanges(id, req, res);
    const listed = await submissionQueries.ofQuizzes([id]);
    res.json({ data: serializeManagedQuiz(quiz, listed, fileUrls(req), clock) });
  });

  router.delete('/api/v3/quiz/pdf-quizzes/:id', ...ofQuiz, async (req, res) => {
    await deleteQuiz(dependencies, readId(req.params.id));
    res.status(204).end();
  });

  // Ends the form before the response, so that its slot is free for the client's next upload (D46).
  async function receiveQuiz(req: Request, res: Response): Promise<Quiz> {
    const { userId } = principalOf(res);
    await using form = await dependencies.receiveForm(req, res, { userId });
    const properties = parsePdfForm(newQuizSchema(clock), form);
    requireCourseWithinLimit(res, properties.courseId);
    return await createQuiz(dependencies, properties, { files: form.files, userId });
  }

  async function receiveChanges(id: number, req: Request, res: Response): Promise<Quiz> {
    const { userId } = principalOf(res);
    await using form = req.is('multipart/form-data')
      ? await dependencies.receiveForm(req, res, { userId })
      : undefined;
    const { fields, files } = form ?? { fields: req.body, files: [] };
    const changes = parsePdfForm(quizChangesSchema(clock), { fields, files });
    requireCourseWithinLimit(res, changes.courseId);
    return await changeQuiz(dependencies, id, changes, { files, userId });
  }

  /** Requires that the token gives access to the course named in a form, as it must for an existing course. */
  function requireCourseWithinLimit(res: Response, courseId: number | undefined): void {
    if (courseId !== undefined && !mayUseCourse(principalOf(res), courseId)) throw notFound();
  }

  return router;
}
