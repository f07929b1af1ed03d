import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
import {
  type FieldErrors,
  invalid,
  preconditionFailed,
  unauthenticated,
} from '@gradeway/shared/errors/appError';
import { pdfErrors } from '@gradeway/shared/files/pdfErrors';
import type { ReceivedFile } from '@gradeway/shared/files/receiveForm';
import { entityTag, ifMatch } from '@gradeway/shared/http/entityTag';
import { idempotencyKey } from '@gradeway/shared/http/idempotency';
import { jsonBody, jsonBodyOrForm } from '@gradeway/shared/http/jsonBody';
import { flatList, linkedList, readPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { checkInput, parseInput, recordId } from '@gradeway/shared/http/validation';
import { type Request, Router } from 'express';
import { z } from 'zod';
import { type GradingResult, gradeSubmission } from '../domain/gradeSubmission.ts';
import { homeworkNotFound } from '../domain/homework.ts';
import { removeFile } from '../domain/removeFile.ts';
import { type AssignmentChanges, setAssignment } from '../domain/setAssignment.ts';
import type { Dependencies } from './dependencies.ts';
import { assignmentFields, gradeFields } from './schemas.ts';
import { homeworkView, listedHomeworkView, submissionView, writingFor } from './serializers.ts';

// The headline of a 422 on specification 2 and 4; everywhere else it is `Invalid Data`.
const headline = 'ValidationError';
const homeworksPage = { size: 15, largest: 100, message: headline };
const historyPage = { size: 50, largest: 100 };

/** What administrators do: specification 2 to 4, and assignments themselves. */
export function adminRoutes(dependencies: Dependencies): Router {
  const { homeworks, submissions, submissionLists, clock, publicUrl } = dependencies;
  const router = Router();
  // On these paths another role is told the same as no token at all.
  const admin = requireRole(dependencies.verify, ['admin'], unauthenticated);

  router.get('/api/v3/admin/homeworks', admin, async (req, res) => {
    const page = readPage(req.query, homeworksPage);
    const filter = z.object({ course_id: recordId().optional() });
    const { course_id: courseId } = parseInput(filter, req.query, headline);
    const listed = await homeworks.page(page, courseId === undefined ? undefined : [courseId]);
    const handedIn = await submissionLists.ofClasses(listed.homeworks.map(({ id }) => id));
    const submissionsOf = Map.groupBy(handedIn, ({ classId }) => classId);
    const writing = writingFor(dependencies, req);
    const items = listed.homeworks.map((homework) =>
      listedHomeworkView(homework, submissionsOf.get(homework.id) ?? [], writing),
    );
    res.json(flatList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.get('/api/v3/admin/homeworks/:id', admin, async (req, res) => {
    res.json(await homeworkAnswer(readId(req.params.id), req));
  });

  router.post('/api/v3/admin/homeworks/grade/:id', admin, jsonBody, async (req, res) => {
    const submissionId = readId(req.params.id);
    const { rating, comment } = parseInput(gradeFields, req.body, headline);
    const gradedBy = principalOf(res).userId;
    const grading = { submissionId, rating, comment, gradedBy, ifMatch: ifMatch(req) };
    const result = await dependencies.idempotency.once<GradingResult>(
      idempotencyKey(req, gradedBy, grading, headline),
      (noteResult) => gradeSubmission(dependencies, grading, noteResult),
    );
    const data = submissionView(await submissionLists.get(submissionId), writingFor(dependencies, req));
    if (result.stale) throw preconditionFailed(data);
    res.set('ETag', result.tag).json({ message: 'Grade Saved Successfully', data });
  });

  router.get('/api/v3/admin/homeworks/submissions/:id/history', admin, async (req, res) => {
    const submissionId = readId(req.params.id);
    const page = readPage(req.query, historyPage);
    const submission = await submissionLists.find(submissionId);
    if (!submission) throw homeworkNotFound();
    const { gradings, total } = await submissions.gradings(submissionId, page);
    const items = gradings.map(({ rating, comment, gradedBy, gradedAt }) => ({
      rating,
      comment,
      graded_by: gradedBy,
      graded_at: clock.format(gradedAt),
    }));
    res.set('ETag', entityTag(submission)).json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.delete('/api/v3/admin/homeworks/submissions/:id/files/:file_id', admin, async (req, res) => {
    await removeFile(dependencies, readId(req.params.id), readId(req.params.file_id));
    res.status(204).end();
  });

  router.put('/api/v3/admin/homeworks/:class_id', admin, jsonBodyOrForm, async (req, res) => {
    const classId = readId(req.params.class_id);
    await using form = req.is('multipart/form-data')
      ? await dependencies.receiveAssignment(req, res)
      : undefined;
    const { fields, files } = form ?? { fields: req.body, files: [] };
    const { created } = await setAssignment(
      dependencies,
      classId,
      await readAssignment(fields, files),
      files,
    );
    res.status(created ? 201 : 200).json({ data: await homeworkAnswer(classId, req) });
  });

  router.delete('/api/v3/admin/homeworks/:class_id', admin, async (req, res) => {
    if (!(await homeworks.removeAssignment(readId(req.params.class_id)))) throw homeworkNotFound();
    res.status(204).end();
  });

  async function homeworkAnswer(classId: number, req: Request) {
    const homework = await homeworks.find(classId);
    if (!homework) throw homeworkNotFound();
    return homeworkView(homework, await submissionLists.ofClasses([classId]), writingFor(dependencies, req));
  }

  // Everything that is wrong with a form is said at once: its fields and its file.
  async function readAssignment(fields: unknown, files: ReceivedFile[]): Promise<AssignmentChanges> {
    const checked = checkInput(assignmentFields(clock), fields);
    const errors: FieldErrors = { ...checked.errors, ...(await pdfErrors(dependencies.pdf, 'file', files)) };
    if (checked.errors || Object.keys(errors).length > 0) throw invalid(errors);
    return checked.value;
  }

  return router;
}
