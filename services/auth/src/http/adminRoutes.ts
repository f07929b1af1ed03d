import { principalOf, requireRole, requireRoleInCourses } from '@gradeway/shared/auth/authenticate';
import { limitOf, withinLimit } from '@gradeway/shared/auth/courseLimit';
import { notFound } from '@gradeway/shared/errors/appError';
import { jsonBody } from '@gradeway/shared/http/jsonBody';
import { linkedList, readPage, standardPage } from '@gradeway/shared/http/pagination';
import { readId } from '@gradeway/shared/http/pathId';
import { parseInput } from '@gradeway/shared/http/validation';
import { Router } from 'express';
import { changeUser } from '../domain/changeUser.ts';
import { createUser } from '../domain/createUser.ts';
import { deleteDevice } from '../domain/deleteDevice.ts';
import { deleteUser } from '../domain/deleteUser.ts';
import { requireReauthentication } from '../domain/requireReauthentication.ts';
import { setDeviceDisabled } from '../domain/setDeviceDisabled.ts';
import type { Dependencies } from './dependencies.ts';
import { deviceChanges, userChanges, userFields, userFilter } from './schemas.ts';
import { deviceView, userView } from './serializers.ts';

/** Routes for administrators: accounts and their devices. */
export function adminRoutes(dependencies: Dependencies): Router {
  const { verifyToken, users, devices, courses, clock, publicUrl } = dependencies;
  const router = Router();
  const admin = requireRoleInCourses(verifyToken, ['admin']);
  const ofUser = [
    admin,
    withinLimit((req, courseIds) => courses.isPersonOf(courseIds, readId(req.params.id))),
  ];
  const ofDevice = [
    admin,
    withinLimit(async (req, courseIds) => {
      const device = await devices.find(readId(req.params.id));
      return device !== undefined && (await courses.isPersonOf(courseIds, device.userId));
    }),
  ];

  router.get('/api/v3/admin/users', admin, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const filter = parseInput(userFilter, req.query);
    const courseIds = limitOf(principalOf(res));
    const ids = courseIds && (await courses.peopleOf(courseIds));
    const listed = await users.page({ ...filter, ids }, page);
    const items = listed.rows.map((user) => userView(user, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  // A new account would not belong to any course.
  router.post('/api/v3/admin/users', requireRole(verifyToken, ['admin']), jsonBody, async (req, res) => {
    const { password, ...properties } = parseInput(userFields, req.body);
    const user = await createUser(dependencies, properties, password, principalOf(res));
    res.status(201).json({ data: userView(user, clock) });
  });

  router.get('/api/v3/admin/users/:id', ...ofUser, async (req, res) => {
    const user = await users.find(readId(req.params.id));
    if (!user) throw notFound();
    res.json({ data: userView(user, clock) });
  });

  router.patch('/api/v3/admin/users/:id', ...ofUser, jsonBody, async (req, res) => {
    const id = readId(req.params.id);
    const changes = parseInput(userChanges, req.body);
    const user = await changeUser(dependencies, id, changes, principalOf(res));
    res.json({ data: userView(user, clock) });
  });

  router.delete('/api/v3/admin/users/:id', ...ofUser, async (req, res) => {
    const id = readId(req.params.id);
    await requireReauthentication(dependencies, principalOf(res));
    await deleteUser(dependencies, id, principalOf(res));
    res.status(204).end();
  });

  router.get('/api/v3/admin/users/:id/devices', ...ofUser, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const user = await users.find(readId(req.params.id));
    if (!user) throw notFound();
    const listed = await devices.pageByUser(user.id, page);
    const items = listed.devices.map((device) => deviceView(device, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.patch('/api/v3/admin/devices/:id', ...ofDevice, jsonBody, async (req, res) => {
    const id = readId(req.params.id);
    const { isDisabled } = parseInput(deviceChanges, req.body);
    res.json({
      data: deviceView(await setDeviceDisabled(dependencies, id, isDisabled, principalOf(res)), clock),
    });
  });

  router.delete('/api/v3/admin/devices/:id', ...ofDevice, async (req, res) => {
    await deleteDevice(dependencies, readId(req.params.id), principalOf(res));
    res.status(204).end();
  });

  return router;
}
