import { principalOf, requireRole } from '@gradeway/shared/auth/authenticate';
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
  const { users, devices, clock, publicUrl } = dependencies;
  const router = Router();
  const admin = requireRole(dependencies.verifyToken, ['admin']);

  router.get('/api/v3/admin/users', admin, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const listed = await users.page(parseInput(userFilter, req.query), page);
    const items = listed.rows.map((user) => userView(user, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.post('/api/v3/admin/users', admin, jsonBody, async (req, res) => {
    const { password, ...properties } = parseInput(userFields, req.body);
    const user = await createUser(dependencies, properties, password, principalOf(res));
    res.status(201).json({ data: userView(user, clock) });
  });

  router.get('/api/v3/admin/users/:id', admin, async (req, res) => {
    const user = await users.find(readId(req.params.id));
    if (!user) throw notFound();
    res.json({ data: userView(user, clock) });
  });

  router.patch('/api/v3/admin/users/:id', admin, jsonBody, async (req, res) => {
    const id = readId(req.params.id);
    const changes = parseInput(userChanges, req.body);
    const user = await changeUser(dependencies, id, changes, principalOf(res));
    res.json({ data: userView(user, clock) });
  });

  router.delete('/api/v3/admin/users/:id', admin, async (req, res) => {
    const id = readId(req.params.id);
    await requireReauthentication(dependencies, principalOf(res));
    await deleteUser(dependencies, id, principalOf(res));
    res.status(204).end();
  });

  router.get('/api/v3/admin/users/:id/devices', admin, async (req, res) => {
    const page = readPage(req.query, standardPage);
    const user = await users.find(readId(req.params.id));
    if (!user) throw notFound();
    const listed = await devices.pageByUser(user.id, page);
    const items = listed.devices.map((device) => deviceView(device, clock));
    res.json(linkedList({ url: publicUrl.of(req), page, items, total: listed.total }));
  });

  router.patch('/api/v3/admin/devices/:id', admin, jsonBody, async (req, res) => {
    const id = readId(req.params.id);
    const { isDisabled } = parseInput(deviceChanges, req.body);
    res.json({
      data: deviceView(await setDeviceDisabled(dependencies, id, isDisabled, principalOf(res)), clock),
    });
  });

  router.delete('/api/v3/admin/devices/:id', admin, async (req, res) => {
    await deleteDevice(dependencies, readId(req.params.id), principalOf(res));
    res.status(204).end();
  });

  return router;
}
