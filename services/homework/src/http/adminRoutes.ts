import { principalOf, requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { limitOf, narrowedTo, withinCourseLimit } from '@gradeway/shared/auth/courseLimit';
import { unauthenticated } from '@gradeway/shared/errors/appError';
import { parsePdfForm } from '@gradeway/shared/files/parsePdfForm';
import { versionTag } from '@gradeway/shared/grading/entityTags';
import { gradeOnRequest } from '@gradeway/shared/grading/gradeOnRequest';
import { jsonBody, jsonBodyOrForm } from '@gradeway/shared/http/jsonBody';
import { flatList, historyPage, linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput, recordId } from '@gradeway/shared/http/validation';
import { type Request, type Response, Router } from 'express';
import { z } from 'zod';
import { homeworkNotFound } from '../domain/homework.ts';
import { removeAssignment } from '../domain/removeAssignment.ts';
import { removeSubmissionFile } from '../domain/removeSubmissionFile.ts';
import { upsertAssignment } from '../domain/upsertAssignment.ts';
import type { Dependencies } from './dependencies.ts';
import { assignmentSchema, gradeSchema } from './schemas.ts';
import {
  serializeHomework,
  serializeListedHomework,
  serializerContext,
  serializeSubmission,
} from './serializers.ts';

// The headline of 422 responses in specification 2 and 4. All other routes use `Invalid Data`.
const headline = 'ValidationError';
const homeworksPage = { ...standardPage, message: headline };
export const listFilter = z.object({ course_id: recordId().optional() });

/** Routes for administrators: specification 2 to 4, and the management of assignments. */
export function adminRoutes(dependencies: Dependencies): Router {
  const { homeworks, homeworkPages, submissionQueries, grading, clock, publicUrl } = dependencies;
  const router = Router();
  // On these paths, a token with another role is treated like a missing token.
  const admin = requireRoleInCourses(dependencies.verify, ['admin'], unauthenticated);
  const ofClass = [
    admin,
    withinCourseLimit(async (req) => {
      const [found] = await dependencies.courses.classes([readId(req.params.class_id)]);
      return found?.courseId;
    }, homeworkNotFound),
  ];
  const ofSubmission = [
    admin,
    withinCourseLimit(
      async (req) => (await grading.details.itemOf(readId(req.params.id)))?.courseId,
      homeworkNotFound,
    ),
  ];

  router.get('/api/v3/admin/homeworks', admin, async (req, res) => {
    const page = readPage(req.query, homeworksPage);
    const { course_id: courseId } = parseInput(listFilter, req.query, headline);
    const courses = narrowedTo(limitOf(principalOf(res)), courseId);
    const { homeworks: listed, total } = await homeworkPages.page(page, courses);
    const context = serializerContext(dependencies, req);
    const items = listed.map((homework) => serializeListedHomework(homework, homework.submissions, context));
    res.json(flatList({ url: publicUrl.of(req), page, items, total }));
  });

  router.get('/api/v3/admin/homeworks/:class_id', ...ofClass, async (req, res) => {
    res.json(await homeworkObject(readId(req.params.class_id), req));
  });

  router.post('/api/v3/admin/homeworks/grade/:id', ...ofSubmission, jsonBody, async (req, res) => {
    const submissionId = readId(req.params.id);
    const { rating, comment } = parseInput(gradeSchema, req.body, headline);
    const gradedBy = principalOf(res).userId;
    const content = { submissionId, rating, comment, gradedBy };
    const given = { submissionId, grade: rating, totalGrade: 10, comment, gradedBy };
    const present = () => submissionObject(submissionId, req);
    const tag = await gradeOnRequest(grading, req, { given, content, headline, present });
    res.set('ETag', tag).json({ message: 'Grade Saved Successfully', data: await present() });
  });

  router.get('/api/v3/admin/homeworks/submissions/:id/history', ...ofSubmission, async (req, res) => {
    const submissionId = readId(req.params.id);
    const page = readPage(req.query, historyPage);
    const submission = await grading.gradable.find(submissionId);
    if (!submission) throw homeworkNotFound();
    const { rows, total } = await grading.history.page(submissionId, page, 'gradings');
    const items = rows.map(({ grade, comment, gradedBy, gradedAt }) => ({
      rating: grade,
      comment,
      graded_by: gradedBy,
      graded_at: clock.format(gradedAt),
    }));
    res.set('ETag', versionTag(submission)).json(linkedList({ url: publicUrl.of(req), page, items, total }));
  });

  router.delete(
    '/api/v3/admin/homeworks/submissions/:id/files/:file_id',
    ...ofSubmission,
    async (req, res) => {
      await removeSubmissionFile(dependencies, readId(req.params.id), readId(req.params.file_id));
      res.status(204).end();
    },
  );

  router.put('/api/v3/admin/homeworks/:class_id', ...ofClass, jsonBodyOrForm, async (req, res) => {
    const classId = readId(req.params.class_id);
    const { created } = await receiveAssignment(classId, req, res);
    res.status(created ? 201 : 200).json({ data: await homeworkObject(classId, req) });
  });

  router.delete('/api/v3/admin/homeworks/:class_id', ...ofClass, async (req, res) => {
    await removeAssignment(dependencies, readId(req.params.class_id));
    res.status(204).end();
  });

  // Ends the form before the response, so that its slot is free for the client's next upload (D46).
  async function receiveAssignment(classId: number, req: Request, res: Response) {
    const { userId } = principalOf(res);
    await using form = req.is('multipart/form-data')
      ? await dependencies.receiveAssignment(req, res, { userId })
      : undefined;
    const { fields, files } = form ?? { fields: req.body, files: [] };
    const changes = parsePdfForm(assignmentSchema(clock), { fields, files });
    return await upsertAssignment(dependencies, classId, changes, { files, userId });
  }

  async function homeworkObject(classId: number, req: Request) {
    const homework = await homeworks.find(classId);
    if (!homework) throw homeworkNotFound();
    const listed = await submissionQueries.ofClasses([classId]);
    return serializeHomework(homework, listed, serializerContext(dependencies, req));
  }

  const submissionObject = async (id: number, req: Request) =>
    serializeSubmission(await submissionQueries.get(id), serializerContext(dependencies, req));

  return router;
}
