import { requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { graderRoles } from '@gradeway/shared/auth/roles';
import { jsonBodyOrForm } from '@gradeway/shared/http/jsonBody';
import { sendItem } from '@gradeway/shared/items/itemResponse';
import { itemRoutes } from '@gradeway/shared/items/itemRoutes';
import type { ManagedKind } from '@gradeway/shared/items/managedKind';
import { receiveItem } from '@gradeway/shared/items/receiveItem';
import { Router } from 'express';
import { changeQuiz, type QuizChanges } from '../domain/changeQuiz.ts';
import { copyQuiz, type QuizTarget } from '../domain/copyQuiz.ts';
import { createQuiz } from '../domain/createQuiz.ts';
import { deleteQuiz } from '../domain/deleteQuiz.ts';
import type { Dependencies } from './dependencies.ts';
import { newTeachersQuizSchema, quizTargetSchema, teachersQuizChangesSchema } from './teacherSchemas.ts';

/** Routes for the teachers of a course: quizzes with all of their settings. */
export function teacherRoutes(dependencies: Dependencies): Router {
  const { grading, receiveForm, copyFile } = dependencies;
  const managed: ManagedKind<QuizChanges, QuizTarget> = {
    receiveForm,
    changesSchema: teachersQuizChangesSchema,
    targetSchema: quizTargetSchema,
    targetField: 'course_id',
    targetCourse: async (courseId) => courseId,
    change: (id, changes, upload, expected) => changeQuiz(dependencies, id, changes, upload, expected),
    remove: (id) => deleteQuiz(dependencies, id),
    copy: (id, target, userId) => copyQuiz({ ...dependencies, copyFile }, id, target, userId),
  };
  const router = Router();
  const staff = requireRoleInCourses(dependencies.verify, graderRoles);

  router.post('/api/v3/grading/quizzes', staff, jsonBodyOrForm, async (req, res) => {
    const form = { receiveForm, schema: newTeachersQuizSchema, targets: managed };
    const quiz = await receiveItem(grading, req, res, form, (properties, upload) =>
      createQuiz(dependencies, properties, upload),
    );
    await sendItem(grading, req, res.status(201), quiz.id);
  });

  router.use(itemRoutes(grading, managed));
  return router;
}
