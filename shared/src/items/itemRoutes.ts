import { type RequestHandler, Router } from 'express';
import { principalOf, requireRoleInCourses } from '../auth/authenticate.ts';
import { graderRoles } from '../auth/roles.ts';
import { invalid } from '../errors/appError.ts';
import type { GraderDependencies } from '../grading/dependencies.ts';
import { readIfMatch } from '../http/ifMatch.ts';
import { jsonBody, jsonBodyOrForm } from '../http/jsonBody.ts';
import { checkInput } from '../http/validation.ts';
import { itemOfPath, requireTeachersItem } from './itemOfPath.ts';
import { orPresentItem, sendItem } from './itemResponse.ts';
import type { ManagedKind } from './managedKind.ts';
import { errorsOfTarget, receiveItem } from './receiveItem.ts';

/** Routes for the teachers of a course: an item with its settings, its changes, its removal and its copies. */
export function itemRoutes<Changes, Target>(
  dependencies: GraderDependencies,
  kind: ManagedKind<Changes, Target>,
): Router {
  const router = Router();
  const staff: RequestHandler = requireRoleInCourses(dependencies.verify, graderRoles);
  // The class of an assignment cannot change.
  const canMove = kind.targetField === 'course_id';
  const path = `/api/v3/grading/${dependencies.kind.name}/:item_id`;

  router.get(path, staff, async (req, res) => {
    const { id } = await itemOfPath(dependencies, req, res);
    await sendItem(dependencies, req, res, id);
  });

  router.patch(path, staff, jsonBodyOrForm, async (req, res) => {
    const { id: itemId } = await requireTeachersItem(dependencies, req, res);
    const form = {
      receiveForm: kind.receiveForm,
      schema: kind.changesSchema,
      ...(canMove && { targets: kind }),
    };
    const expected = readIfMatch(req) ?? 'any';
    const change = receiveItem(dependencies, req, res, form, (changes, upload) =>
      kind.change(itemId, changes, upload, expected),
    );
    await orPresentItem(dependencies, req, itemId, change);
    await sendItem(dependencies, req, res, itemId);
  });

  router.delete(path, staff, async (req, res) => {
    const { id } = await requireTeachersItem(dependencies, req, res);
    await kind.remove(id);
    res.status(204).end();
  });

  router.post(`${path}/copy`, staff, jsonBody, async (req, res) => {
    const { id: itemId } = await requireTeachersItem(dependencies, req, res);
    const errors = await errorsOfTarget(dependencies, kind, req.body, res);
    const checked = checkInput(kind.targetSchema, req.body);
    if (checked.errors || errors) throw invalid({ ...errors, ...checked.errors });
    const copyId = await kind.copy(itemId, checked.value, principalOf(res).userId);
    await sendItem(dependencies, req, res.status(201), copyId);
  });

  return router;
}
