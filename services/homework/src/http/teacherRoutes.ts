import { principalOf, requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { graderRoles } from '@gradeway/shared/auth/roles';
import { notFound } from '@gradeway/shared/errors/appError';
import { requireTeacher } from '@gradeway/shared/grading/teaching';
import { jsonBodyOrForm } from '@gradeway/shared/http/jsonBody';
import { readId } from '@gradeway/shared/http/pathId';
import { sendItem } from '@gradeway/shared/items/itemResponse';
import { itemRoutes } from '@gradeway/shared/items/itemRoutes';
import type { ManagedKind } from '@gradeway/shared/items/managedKind';
import { receiveItem } from '@gradeway/shared/items/receiveItem';
import { Router } from 'express';
import { type AssignmentTarget, copyAssignment } from '../domain/copyAssignment.ts';
import { removeAssignment } from '../domain/removeAssignment.ts';
import { type AssignmentChanges, upsertAssignment } from '../domain/upsertAssignment.ts';
import type { Dependencies } from './dependencies.ts';
import { assignmentTargetSchema, teachersAssignmentSchema } from './teacherSchemas.ts';

/** Routes for the teachers of a course: the assignments of its classes, with all of their settings. */
export function teacherRoutes(dependencies: Dependencies): Router {
  const { courses, grading, receiveAssignment: receiveForm } = dependencies;
  const courseOf = async (classId: number) => (await courses.classes([classId]))[0]?.courseId;
  const managed: ManagedKind<AssignmentChanges, AssignmentTarget> = {
    receiveForm,
    changesSchema: teachersAssignmentSchema,
    targetSchema: assignmentTargetSchema,
    targetField: 'class_id',
    targetCourse: courseOf,
    change: (id, changes, upload, expected) =>
      upsertAssignment(dependencies, id, changes, upload, { requires: 'existing', expected }),
    remove: (id) => removeAssignment(dependencies, id),
    copy: (id, target, userId) => copyAssignment(dependencies, id, target, userId),
  };
  const router = Router();
  const staff = requireRoleInCourses(dependencies.verify, graderRoles);

  router.put('/api/v3/grading/homeworks/:class_id', staff, jsonBodyOrForm, async (req, res) => {
    const classId = readId(req.params.class_id);
    const courseId = await courseOf(classId);
    if (courseId === undefined) throw notFound();
    await requireTeacher(grading.teaching, principalOf(res), courseId);
    const form = { receiveForm, schema: teachersAssignmentSchema };
    const { created } = await receiveItem(grading, req, res, form, (changes, upload) =>
      upsertAssignment(dependencies, classId, changes, upload, { publishes: false }),
    );
    await sendItem(grading, req, res.status(created ? 201 : 200), classId);
  });

  router.use(itemRoutes(grading, managed));
  return router;
}
